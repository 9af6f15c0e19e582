import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { attach } from '#test/support/attach'
import { recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

let remote: Instance
let replica: ReplicaInstance
beforeEach(async () => {
  remote = await startInstance()
})
afterEach(async () => {
  await replica.remove()
  await remote.remove()
})

const countOf = async ({ api }: Pick<ReplicaInstance, 'api'>, path = '/expenses'): Promise<number> => (await api.get(path)).body.count
const setRole = (user_id: number, role: string) =>
  remote.admin.api.send('PUT', `/organizations/${remote.organization_id}/members/${user_id}`, { role })
/** What of the audit trail a replica holds beside its user's own. */
const trail = () =>
  replica.app.store.reader.db.selectFrom('activities').select(['event', 'subject_type']).where('subject_type', '!=', 'User').execute()

test("a member's replica has only their own expenses", async () => {
  await recordExpense(remote, remote.member, { description: 'own' })
  await recordExpense(remote, remote.analyst, { description: 'of another' })
  replica = await startReplica(remote.url, remote.member)
  await replica.sync()
  expect(await countOf(replica)).toBe(1)
  const rows = await replica.app.store.reader.db.selectFrom('expenses').select('description').execute()
  expect(rows).toEqual([{ description: 'own' }])
})

test('what becomes visible later comes whole, with what was written before, and goes when it is visible no more', async () => {
  const expense = await recordExpense(remote, remote.analyst, { description: 'of another' })
  await remote.analyst.api.send('POST', `/expenses/${expense.id}/comments`, { content: 'an old comment' })
  replica = await startReplica(remote.url, remote.member)
  await replica.sync()
  expect(await countOf(replica)).toBe(0)
  // Who is mentioned becomes a participant, and so sees it.
  const { mention_name } = (await remote.member.api.get('/preferences')).body
  await remote.analyst.api.send('POST', `/expenses/${expense.id}/comments`, { content: `@${mention_name} look` })
  await replica.sync()
  expect((await replica.api.get(`/expenses/${expense.id}/comments`)).body.count).toBe(2)
  await remote.member.api.send('DELETE', `/expenses/${expense.id}/participants`)
  await replica.sync()
  expect((await replica.api.get(`/expenses/${expense.id}`)).status).toBe(404)
  expect(await replica.app.store.reader.db.selectFrom('comments').select('id').execute()).toEqual([])
})

test('an expense given to someone else leaves one replica and reaches the other', async () => {
  const expense = await recordExpense(remote, remote.member)
  replica = await startReplica(remote.url, remote.member)
  await replica.sync()
  await remote.analyst.api.send('PATCH', `/expenses/${expense.id}`, { receiver: { id: remote.analyst.user_id, type: 'User' } })
  await replica.sync()
  expect(await countOf(replica)).toBe(0)
  expect(await replica.app.store.reader.db.selectFrom('expenses').select('id').execute()).toEqual([])
})

test('a role that sees more brings it, one that sees less takes it away', async () => {
  await recordExpense(remote, remote.analyst)
  replica = await startReplica(remote.url, remote.member)
  await replica.sync()
  expect(await countOf(replica)).toBe(0)
  await setRole(remote.member.user_id, 'analyst')
  await replica.sync()
  expect(await countOf(replica)).toBe(1)
  await setRole(remote.member.user_id, 'member')
  await replica.sync()
  expect(await countOf(replica)).toBe(0)
})

test('a membership revoked while work is pending: the work is in quarantine and can be exported, nothing else stays', async () => {
  const expense = await recordExpense(remote, remote.analyst, { description: 'a secret' })
  await attach(remote.analyst.api, expense.id, 'secret.png')
  replica = await startReplica(remote.url, remote.manager)
  expect(await replica.sync()).toMatchObject({ downloads: 1 })
  await replica.api.send('PATCH', `/expenses/${expense.id}`, { description: 'my own work' })
  await replica.api.send('PUT', `/expenses/${expense.id}/status`, { status: 'approved', approved_amount: 12.5 })
  await remote.admin.api.send('DELETE', `/organizations/${remote.organization_id}/members/${remote.manager.user_id}`)
  expect(await replica.sync()).toMatchObject({ ended: 'synced', pushed: 0 })
  expect((await replica.app.replica.state()).counts).toMatchObject({ quarantined: 2, waiting: 0, conflicts: 0, failed: 0 })
  const { operations } = (await replica.api.get('/replica/operations?list=quarantined')).body
  expect(operations.map(({ method, body }: Json) => [method, body])).toEqual([
    ['PATCH', { description: 'my own work' }],
    ['PUT', { status: 'approved', approved_amount: 12.5 }],
  ])
  for (const table of ['expenses', 'tags', 'comments', 'sync_undo', 'sync_staged'] as const)
    expect(await replica.app.store.reader.db.selectFrom(table).selectAll().execute()).toEqual([])
  expect(await trail()).toEqual([])
  const blobs = await readdir(join(replica.folder, 'blobs'), { recursive: true, withFileTypes: true })
  expect(blobs.filter((entry) => entry.isFile())).toEqual([])
  expect((await replica.api.get('/organizations')).body.count).toBe(0)
  expect((await replica.api.get('/expenses')).body.count).toBe(0)
})

test('secrets and what leaves the remote stay there', async () => {
  await remote.admin.api.send('POST', `/organizations/${remote.organization_id}/integrations/webhooks`, {
    url: 'https://example.org/hook',
    secret: 'quiet',
  })
  await remote.admin.api.send('POST', '/corporative_cards', {
    organization_id: remote.organization_id,
    name: 'Travel',
    number: '4111111111111111',
    expiration_date: '12/30',
  })
  replica = await startReplica(remote.url, remote.admin)
  await replica.sync()
  const { db } = replica.app.store.reader
  expect(await db.selectFrom('corporative_cards').select(['number_last4', 'number_hmac']).execute()).toEqual([
    { number_last4: '1111', number_hmac: '' },
  ])
  expect(await db.selectFrom('webhooks').selectAll().execute()).toEqual([])
  // They are asked of the remote itself, at once.
  expect((await replica.api.get(`/organizations/${remote.organization_id}/integrations/webhooks`)).body.count).toBe(1)
})

test('a request with a secret goes straight to the remote and never into the journal; without a connection it is rejected', async () => {
  replica = await startReplica(remote.url, remote.admin)
  await replica.sync()
  const card = { organization_id: remote.organization_id, name: 'Travel', number: '4111111111111111', expiration_date: '12/30' }
  expect((await replica.api.send('POST', '/corporative_cards', card)).status).toBe(201)
  expect((await replica.api.get('/corporative_cards')).body.count).toBe(1)
  expect(await replica.app.store.reader.db.selectFrom('sync_journal').selectAll().execute()).toEqual([])
  await remote.close()
  const { status, body } = await replica.api.send('POST', '/corporative_cards', { ...card, number: '4000000000000002' })
  expect({ status, body }).toMatchObject({ status: 503, body: { errors: { message: expect.stringContaining('connection') as string } } })
  expect(await replica.app.store.reader.db.selectFrom('sync_journal').selectAll().execute()).toEqual([])
})

test('who leaves an organization keeps what they received; what they took part in goes, work on it is in quarantine', async () => {
  const own = await recordExpense(remote, remote.member, { description: 'own' })
  const shared = await recordExpense(remote, remote.analyst, { description: 'of another' })
  const { mention_name } = (await remote.member.api.get('/preferences')).body
  await remote.analyst.api.send('POST', `/expenses/${shared.id}/comments`, { content: `@${mention_name} look` })
  replica = await startReplica(remote.url, remote.member)
  await replica.sync()
  expect((await replica.api.get(`/expenses/${shared.id}/comments`)).body.count).toBe(1)
  expect((await replica.api.send('POST', `/expenses/${shared.id}/comments`, { content: 'too late' })).status).toBe(201)
  await remote.admin.api.send('DELETE', `/organizations/${remote.organization_id}/members/${remote.member.user_id}`)
  await remote.analyst.api.send('POST', `/expenses/${shared.id}/comments`, { content: 'a secret' })
  expect((await replica.sync()).ended).toBe('synced')
  expect((await replica.api.get('/expenses')).body.expenses.map(({ id }: Json) => id)).toEqual([own.id])
  expect(await replica.app.store.reader.db.selectFrom('comments').select('id').execute()).toEqual([])
  expect((await replica.app.replica.state()).counts).toMatchObject({ quarantined: 1, waiting: 0 })
  const email = 'mel.member@example.org'
  await remote.admin.api.send('POST', `/organizations/${remote.organization_id}/members`, { user: { email } })
  await replica.sync()
  expect((await replica.api.get(`/expenses/${shared.id}/comments`)).body.count).toBe(2)
})
