import { afterEach, beforeEach, expect, test } from 'vitest'
import { attach } from '#test/support/attach'
import { newCard } from '#test/support/cards'
import { newExpense } from '#test/support/expenses'
import { type Instance, type Json, type Person, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'
import { newMoney } from '#test/support/settlements'

let remote: Instance
let local: Instance
let replica: ReplicaInstance | undefined
beforeEach(async () => {
  remote = await startInstance()
  local = await startInstance({ database: 'sqlite' })
})
afterEach(async () => {
  await replica?.remove()
  await local.remove()
  await remote.remove()
})

/** Writes as whoever set up the local instance; what is refused ends the test. */
async function make(path: string, body: unknown, { api }: Person = local.admin, method = 'POST'): Promise<Json> {
  const response = await api.send(method, path, body)
  if (response.status >= 300) throw new Error(`${path} was answered ${response.status}: ${JSON.stringify(response.body)}`)
  return response.body
}

const toOwn = (attributes: Record<string, unknown> = {}) =>
  newMoney(local, { receiver: { id: local.admin.user_id, type: 'User' }, ...attributes })
const expense = (attributes: Record<string, unknown> = {}) => make('/expenses', newExpense(local, attributes))

/** Makes the local instance a replica of the remote; answers what it offers. */
async function connect(person: Person): Promise<Json[]> {
  await local.close()
  replica = await startReplica(remote.url, person, { folder: local.folder })
  await replica.sync()
  return (await replica.api.get('/replica/offers')).body.offers
}

async function accept(offers: ReadonlyArray<{ id: number }>, decision = 'accept'): Promise<Json> {
  const body = { ids: offers.map(({ id }) => id), organization_id: remote.organization_id, decision }
  return (await replica?.api.send('POST', '/replica/offers', body))?.body
}

const told = ({ kind, title, stays }: Json) => [kind, title, stays]

test('all that one person can have made is offered, and created at the remote with what hangs on it', async () => {
  const organization = `/organizations/${local.organization_id}`
  await make(`${organization}/tags`, { name: 'Trip', group: 'Projects' })
  await make('/pre_expenses', { description: 'Ride', amount: 23.4, currency: 'BRL', tags: ['taxi'], external_id: 'ride-1' })
  const ignored = await make('/pre_expenses', { description: 'Not mine' })
  await make(`/pre_expenses/${ignored.id}/ignore`, undefined, local.admin, 'PUT')
  const taxi = await expense({ description: 'Taxi', amount: 80, tags: ['Trip', 'Client'] })
  await attach(local.admin.api, taxi.id, 'a.png')
  await make(`/expenses/${taxi.id}/comments`, { content: 'to the airport' })
  await make(`/expenses/${taxi.id}/comments`, { content: 'said by someone else' }, local.manager)
  const advance = await make('/advancements', toOwn({ amount: 500, currency: 'BRL', description: 'For the trip', tags: ['Trip'] }))
  await make(`/advancements/${advance.id}/comments`, { content: 'in cash' })
  await make('/advancement_devolutions', toOwn({ amount: 120.5, currency: 'BRL' }))
  await make('/accountabilities', {
    ...toOwn({ title: 'January', description: null, expense_ids: [taxi.id] }),
    ...{ amount: undefined, date: undefined },
  })
  const offers = await connect(remote.manager)
  expect(offers.map(told)).toEqual([
    ['tag', 'Trip', null],
    ['pre_expense', 'Ride', null],
    ['pre_expense', 'Not mine', null],
    ['expense', 'Taxi', null],
    ['advancement', 'For the trip', null],
    ['devolution', '', null],
    ['accountability', 'January', null],
  ])
  expect(offers[3]).toMatchObject({ amount: 80, currency: 'BRL', attachments: 1, comments: 1 })
  const [accountability] = offers.slice(-1)
  expect(await accept([accountability])).toEqual({
    accepted: 0,
    refused: [{ id: accountability.id, message: 'Create its expenses first.' }],
  })
  expect(await accept(offers)).toEqual({ accepted: 7, refused: [] })
  expect(await replica?.sync()).toMatchObject({ ended: 'synced', conflicts: 0, failed: 0 })
  const { api, user_id } = remote.manager
  const listOf = async (path: string, name: string): Promise<Json[]> => (await api.get(path)).body[name]
  expect(await listOf(`/organizations/${remote.organization_id}/tags?sort=name`, 'tags')).toMatchObject([
    { name: 'Client', group: null },
    { name: 'Trip', group: 'Projects' },
  ])
  expect(await listOf('/pre_expenses?status=waiting_approval', 'pre_expenses')).toMatchObject([
    { description: 'Ride', amount: 23.4, tags: 'taxi', external_id: 'ride-1' },
  ])
  expect(await listOf('/pre_expenses?status=ignored', 'pre_expenses')).toMatchObject([{ description: 'Not mine' }])
  const [there] = await listOf('/expenses', 'expenses')
  expect(there).toMatchObject({ amount: 80, tags: 'Trip, Client', attachments_count: 1, comments_count: 1 })
  expect(await listOf(`/expenses/${there.id}/comments`, 'comments')).toMatchObject([{ content: 'to the airport' }])
  const parties = { receiver: { id: user_id }, payer: { id: remote.organization_id } }
  const [advanced] = await listOf('/advancements', 'advancements')
  expect(advanced).toMatchObject({ ...parties, amount: 500, description: 'For the trip', tags: ['Trip'], comments_count: 1 })
  expect(await listOf('/advancement_devolutions', 'advancement_devolutions')).toMatchObject([{ ...parties, amount: 120.5 }])
  expect(await listOf('/accountabilities', 'accountabilities')).toMatchObject([
    { ...parties, title: 'January', status: 'opened', expense_ids: [there.id] },
  ])
  expect((await replica?.api.get('/replica'))?.body).toMatchObject({ offered: 0 })
})

test('what cannot be created there says why, stays to be exported, and is no more when it is dismissed', async () => {
  const organization = `/organizations/${local.organization_id}`
  await make(`${organization}/tags`, { name: 'Secret', restricted_user_ids: [local.member.user_id] })
  await make(`${organization}/distances_rules`, { amount: 0.9, currency: 'BRL', distance_kind: 'km' })
  await make(`${organization}/integrations/webhooks`, { url: 'https://books.example/outlay', description: 'Books' })
  await make('/corporative_cards', newCard(local))
  await make('/expenses', newExpense(local, { description: 'Of a member' }), local.member)
  const paid = await expense({ description: 'Paid', amount: 30, currency: 'BRL' })
  const approval = { status: 'approved', approved_amount: 30, approved_amount_currency: 'BRL' }
  await make(`/expenses/${paid.id}/status`, approval, local.manager, 'PUT')
  await make('/reimbursements', toOwn({ amount: 30, currency: 'BRL', expense_ids: [paid.id] }))
  const offers = await connect(remote.admin)
  expect(offers.map(told)).toEqual([
    ['expense', 'Paid', null],
    ['tag', 'Secret', 'people'],
    ['expense', 'Of a member', 'person'],
    ['reimbursement', '', 'payment'],
    ['corporative_card', expect.stringMatching(/^Travel \d{4}$/), 'number'],
    ['distance_rule', '', 'settings'],
    ['webhook', 'https://books.example/outlay', 'settings'],
  ])
  expect(offers[0]).toMatchObject({ is_settled: true, record: null })
  expect(offers[3]).toMatchObject({ record: { amount: 30, currency: 'BRL' } })
  expect(JSON.stringify(offers)).not.toContain('secret"')
  const staying = offers.slice(1)
  const { accepted, refused } = await accept(staying)
  expect(accepted).toBe(0)
  expect(new Set(refused.map(({ message }: Json) => message))).toEqual(
    new Set(['This cannot be created at the remote; it stays in the copy.']),
  )
  expect(await replica?.sync()).toMatchObject({ pushed: 0 })
  expect(await accept(staying, 'dismiss')).toEqual({ accepted: 6, refused: [] })
  expect((await replica?.api.get('/replica/offers'))?.body.offers.map(told)).toEqual([['expense', 'Paid', null]])
})

test('an offer the person may not create is rejected with the reason and stays offered; an existing tag is not created again', async () => {
  await make('/advancements', toOwn({ amount: 500, currency: 'BRL' }))
  await make(`/organizations/${local.organization_id}/tags`, { name: 'trip', group: 'Projects' })
  const { body } = await remote.manager.api.send('POST', `/organizations/${remote.organization_id}/tags`, { name: 'Trip' })
  const [tag, advance, ...none] = await connect(remote.member)
  expect(none).toEqual([])
  expect(await accept([tag, advance])).toEqual({ accepted: 1, refused: [{ id: advance.id, message: 'You are not allowed to do this.' }] })
  expect(await replica?.sync()).toMatchObject({ pushed: 0, failed: 0 })
  expect((await remote.manager.api.get(`/organizations/${remote.organization_id}/tags`)).body.tags).toMatchObject([
    { uid: body.uid, name: 'Trip', group: null },
  ])
  expect((await replica?.api.get('/replica'))?.body).toMatchObject({ offered: 1 })
})
