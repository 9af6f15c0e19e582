import { afterEach, beforeEach, expect, test } from 'vitest'
import { attach } from '#test/support/attach'
import { recordExpense } from '#test/support/expenses'
import { type Api, type Instance, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

let remote: Instance
let replica: ReplicaInstance
beforeEach(async () => {
  remote = await startInstance({ settings: { OUTLAY_SYNC: false } })
  replica = await startReplica(remote.url, remote.admin)
  await replica.sync()
})
afterEach(async () => {
  await replica.remove()
  await remote.remove()
})
const synced = { ended: 'synced', error: null, conflicts: 0, failed: 0 }
const send = async (api: Api, ...[method, path, body]: [string, string, unknown?]) => {
  const response = await api.send(method, path, body)
  expect([method, path, response.status < 300, response.status < 300 ? '' : JSON.stringify(response.body)]).toEqual([
    method,
    path,
    true,
    '',
  ])
  return response.body
}

test('tags, rules, the organization and preferences are changed there as they were changed here', async () => {
  const of = `/organizations/${remote.organization_id}`
  const tag = await send(replica.api, 'POST', `${of}/tags`, { name: 'Fuel', restricted_user_ids: [remote.member.user_id] })
  await send(replica.api, 'PATCH', `${of}/tags/${tag.id}`, { name: 'Petrol' })
  await send(replica.api, 'POST', `${of}/distances_rules`, { amount: 0.655_125, currency: 'BRL', distance_kind: 'km' })
  await send(replica.api, 'PATCH', of, { name: 'Acme Ltd' })
  await send(replica.api, 'PATCH', '/preferences', { timezone: 'America/Recife' })
  expect(await replica.sync()).toMatchObject({ ...synced, pushed: 5 })
  for (const { api } of [remote.admin, replica]) {
    expect((await api.get(`${of}/tags`)).body.tags).toMatchObject([{ name: 'Petrol', restricted_user_ids: [remote.member.user_id] }])
    expect((await api.get(`${of}/distances_rules`)).body).toMatchObject([{ amount: 0.655_125 }])
    expect((await api.get(of)).body).toMatchObject({ name: 'Acme Ltd' })
    expect((await api.get('/preferences')).body).toMatchObject({ timezone: 'America/Recife' })
  }
  await send(replica.api, 'DELETE', `${of}/tags/${tag.id}`)
  expect(await replica.sync()).toMatchObject({ ...synced, pushed: 1 })
  for (const { api } of [remote.admin, replica]) expect((await api.get(`${of}/tags`)).body.count).toBe(0)
})

test('pre-expenses, cards and money handed out and given back', async () => {
  const { admin, member, organization_id } = remote
  const parties = { payer: { id: organization_id, type: 'Organization' }, receiver: { id: member.user_id, type: 'User' } }
  const there = await send(admin.api, 'POST', '/pre_expenses', {
    description: 'Ride',
    amount: 9,
    currency: 'BRL',
    occurred_at: '2026-01-02',
  })
  await replica.sync()
  const made = await send(replica.api, 'POST', '/pre_expenses', {
    description: 'Bus',
    amount: 5,
    currency: 'BRL',
    occurred_at: '2026-01-02',
  })
  await send(replica.api, 'PUT', `/pre_expenses/${made.id}/ignore`)
  const { payer } = parties
  const expense = await send(replica.api, 'POST', `/pre_expenses/${there.id}/convert`, { payer, amount: 9, occurred_at: '2026-01-02' })
  const money = { ...parties, amount: 100, date: '2026-01-05', currency: 'BRL' }
  const advancement = await send(replica.api, 'POST', '/advancements', { ...money, tags: ['Road'] })
  await send(replica.api, 'POST', `/advancements/${advancement.id}/comments`, { content: 'for the road' })
  await send(replica.api, 'POST', '/advancement_devolutions', { ...money, amount: 40 })
  await send(replica.api, 'POST', '/corporative_cards', {
    ...{ name: 'Blue', number: '4111111111111111', expiration_date: '12/30', active: true },
    ...{ organization_id, user_id: member.user_id },
  })
  expect(await replica.sync()).toMatchObject({ ...synced })
  for (const { api } of [admin, replica]) {
    expect((await api.get('/pre_expenses?status=ignored')).body.pre_expenses).toMatchObject([{ description: 'Bus' }])
    expect((await api.get('/pre_expenses?status=converted')).body.pre_expenses).toMatchObject([{ id: there.id }])
    expect((await api.get('/expenses')).body.expenses).toMatchObject([{ pre_expense_id: there.id, amount: 9 }])
    expect((await api.get('/advancements')).body.advancements).toMatchObject([{ amount: 100, tags: ['Road'], comments_count: 1 }])
    expect((await api.get(`/corporative_cards?q[organization_id_in][]=${organization_id}`)).body.corporative_cards).toMatchObject([
      { name: 'Blue', number: '************1111' },
    ])
    const balance = `/advancements/balances/${organization_id}?receiver_id=${member.user_id}&currency=BRL`
    expect((await api.get(balance)).body).toMatchObject({ amount: 60 })
  }
  expect((await replica.api.get(`/expenses/${expense.id}`)).body.uid).toBe(expense.uid)
  expect((await replica.api.get('/replica/operations?list=waiting')).body.operations).toEqual([])
})

test('comments and receipts that are changed and taken away', async () => {
  const expense = await recordExpense(remote, remote.admin)
  const receipt = await attach(remote.admin.api, expense.id, 'a.png')
  const [first, second] = [
    await send(remote.admin.api, 'POST', `/expenses/${expense.id}/comments`, { content: 'one' }),
    await send(remote.admin.api, 'POST', `/expenses/${expense.id}/comments`, { content: 'two' }),
  ]
  await replica.sync()
  await send(replica.api, 'PUT', `/expenses/${expense.id}/comments/${first.id}`, { content: 'first' })
  await send(replica.api, 'DELETE', `/expenses/${expense.id}/comments/${second.id}`)
  await send(replica.api, 'PATCH', `/expenses/${expense.id}/attachments/${receipt.id}`, { description: 'Lunch' })
  expect(await replica.sync()).toMatchObject({ ...synced, pushed: 3 })
  for (const { api } of [remote.admin, replica]) {
    const { comments } = (await api.get(`/expenses/${expense.id}/comments`)).body
    expect(comments.find(({ id }: { id: number }) => id === first.id)).toMatchObject({ content: 'first' })
    expect(comments.find(({ id }: { id: number }) => id === second.id).deleted_at).not.toBeNull()
    expect((await api.get(`/expenses/${expense.id}`)).body.attachments).toMatchObject([{ id: receipt.id, description: 'Lunch' }])
  }
  await send(replica.api, 'DELETE', `/expenses/${expense.id}/attachments/${receipt.id}`)
  expect(await replica.sync()).toMatchObject({ ...synced, pushed: 1 })
  for (const { api } of [remote.admin, replica])
    expect((await api.get(`/expenses/${expense.id}`)).body).toMatchObject({ attachments: [], attachments_count: 0 })
})
