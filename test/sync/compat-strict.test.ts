import { afterEach, beforeEach, expect, test } from 'vitest'
import { attach } from '#test/support/attach'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'
import { type Transport, httpTransport } from '#main/sync/remote'

/** What this program's server shows and the published contract does not. */
const extensions = new Set([
  ...[
    'uid',
    'version',
    'kind',
    'corporative_card_id',
    'reimbursement_id',
    'bytes',
    'file',
    'totals',
    'approved_totals',
    'paid_totals',
    'usable',
    'group',
  ],
  ...['restricted_tags', 'expired', 'ignore_noncompliant', 'content_html', 'external_id', 'expense_id'],
])

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, part]) => (extensions.has(name) ? [] : [[name, without(part)]])))
}

/** The remote as a server that has never heard of this program: no identities, versions, entity tags, orders or keys of calls. */
function published(to: { url: string; token: string }): Transport {
  const send = httpTransport(to)
  return async ({ path, headers, ...request }) => {
    if (path.includes('sort=')) return responseOf(422, '{"errors":{"sort":["is unknown"]}}', {})
    if (String(request.body).includes('undo_of')) return responseOf(422, '{"errors":{"undo_of":["is unknown"]}}', {})
    const { 'if-match': _match, 'idempotency-key': _key, ...plain } = headers
    const response = await send({ ...request, path, headers: plain })
    const text = await response.text()
    const { etag: _etag, ...shown } = response.headers
    return responseOf(response.status, text === '' ? '' : JSON.stringify(without(JSON.parse(text))), shown)
  }
}

const responseOf = (status: number, text: string, headers: Readonly<Record<string, string>>) => ({
  ...{ status, headers: { 'content-type': 'application/json', ...headers } },
  text: async () => text,
  stream: async function* () {
    yield new TextEncoder().encode(text)
  },
})

let remote: Instance
let replica: ReplicaInstance
beforeEach(async () => {
  remote = await startInstance({ settings: { OUTLAY_SYNC: false } })
})
afterEach(async () => {
  await replica.remove()
  await remote.remove()
})
const synced = { ended: 'synced', error: null, conflicts: 0, failed: 0 }
const expenseOf = async (api: Instance['admin']['api'], id: number): Promise<Json> => (await api.get(`/expenses/${id}`)).body

test('a server that shows nothing but the contract is followed and sent to', async () => {
  const { manager, member } = remote
  const paid = await recordExpense(remote, member, { amount: 30 })
  await attach(member.api, paid.id, 'a.png')
  await manager.api.send('PUT', `/expenses/${paid.id}/status`, { status: 'approved', approved_amount: 30 })
  const parties = { payer: { id: remote.organization_id, type: 'Organization' }, receiver: { id: member.user_id, type: 'User' } }
  const money = { ...parties, amount: 30, date: '2026-01-05', currency: 'BRL', expense_ids: [paid.id] }
  const reimbursement = (await manager.api.send('POST', '/reimbursements', money)).body
  replica = await startReplica(remote.url, manager, { transportTo: published })
  expect(await replica.sync()).toMatchObject({ ...synced })
  expect(await expenseOf(replica.api, paid.id)).toMatchObject({ status: 'liquidated', reimbursement_id: reimbursement.id, amount: 30 })
  expect((await expenseOf(replica.api, paid.id)).attachments).toHaveLength(1)
  const made = (await replica.api.send('POST', '/expenses', newExpense(remote, { tags: ['Trip'] }))).body
  await attach(replica.api, made.id, 'b.png')
  await replica.api.send('POST', `/expenses/${made.id}/comments`, { content: 'mine' })
  await replica.api.send('PUT', `/expenses/${made.id}/status`, { status: 'approved', approved_amount: 1 })
  expect(await replica.sync()).toMatchObject({ ...synced, pushed: 4 })
  const here = await expenseOf(replica.api, made.id)
  expect(here).toMatchObject({ uid: made.uid, status: 'approved', attachments_count: 1, comments_count: 1, tags: 'Trip' })
  expect(await expenseOf(manager.api, here.id)).toMatchObject({ status: 'approved', attachments_count: 1, comments_count: 1 })
  expect(await replica.sync()).toMatchObject({ ...synced, pushed: 0 })
  expect((await replica.api.get('/expenses')).body.count).toBe(2)
})

test('there too, a decision on what has changed comes back, and changes are merged by attribute', async () => {
  const { manager, member } = remote
  const [seen, shared] = [await recordExpense(remote, member, { amount: 50 }), await recordExpense(remote, member)]
  replica = await startReplica(remote.url, manager, { transportTo: published })
  await replica.sync()
  await replica.api.send('PUT', `/expenses/${seen.id}/status`, { status: 'approved', approved_amount: 50 })
  await replica.api.send('PATCH', `/expenses/${shared.id}`, { description: 'Mine' })
  await member.api.send('PATCH', `/expenses/${seen.id}`, { amount: 99 })
  await member.api.send('PATCH', `/expenses/${shared.id}`, { location: 'Recife' })
  expect(await replica.sync()).toMatchObject({ ended: 'synced', pushed: 1, conflicts: 1 })
  expect(await expenseOf(manager.api, seen.id)).toMatchObject({ status: 'awaiting_analysis', amount: 99 })
  for (const { api } of [manager, replica])
    expect(await expenseOf(api, shared.id)).toMatchObject({ description: 'Mine', location: 'Recife' })
})

test('a decision that is undone goes back there by the moves of the contract', async () => {
  const { id } = await recordExpense(remote, remote.member)
  replica = await startReplica(remote.url, remote.manager, { transportTo: published })
  await replica.sync()
  const approved = { status: 'approved', approved_amount: 12.5, approved_amount_currency: 'BRL' }
  const { body } = await replica.api.send('PUT', `/expenses/${id}/status`, approved)
  expect(await replica.sync()).toMatchObject({ ...synced, pushed: 1 })
  const { version } = await expenseOf(replica.api, id)
  expect((await expenseOf(remote.admin.api, id)).status).toBe(body.status)
  const undone = await replica.api.send('PUT', `/expenses/${id}/status`, { status: 'awaiting_analysis', undo_of: version })
  expect(undone.status).toBe(200)
  expect(await replica.sync()).toMatchObject({ ...synced, pushed: 1 })
  expect(await expenseOf(remote.admin.api, id)).toMatchObject({ status: 'awaiting_analysis', approved_amount: null })
})
