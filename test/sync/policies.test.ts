import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

let remote: Instance
let replica: ReplicaInstance
let path: string
beforeEach(async () => {
  remote = await startInstance()
  path = `/organizations/${remote.organization_id}/policies`
})
afterEach(async () => {
  await replica.remove()
  await remote.remove()
})

const block = { name: 'Dinner', weight: 'block', condition: 'amount_over', amount: 80, currency: 'BRL' }
const approval = { status: 'approved', approved_amount: 100, approved_amount_currency: 'BRL' }
const flagsOf = ({ flags }: Json) => flags.map(({ policy, number, weight }: Json) => [policy, number, weight])

test('a replica judges by the policies it has, without a network, as the remote does', async () => {
  await remote.manager.api.send('POST', path, block)
  replica = await startReplica(remote.url, remote.member)
  await replica.sync()
  const { id } = await recordExpense(remote, { ...remote.member, api: replica.api }, { amount: 100 })
  const here = (await replica.api.get(`/expenses/${id}`)).body
  expect(flagsOf(here)).toEqual([['Dinner', 1, 'block']])
  await replica.sync()
  const there = (await remote.member.api.get(`/expenses/${here.id}`)).body
  expect(there.flags).toEqual(here.flags)
})

test('an approval made without knowing of a block comes back with the policy that blocks it', async () => {
  const { id } = await recordExpense(remote, remote.member, { amount: 100 })
  replica = await startReplica(remote.url, remote.manager)
  await replica.sync()
  expect((await replica.api.send('PUT', `/expenses/${id}/status`, approval)).status).toBe(200)
  await remote.admin.api.send('POST', path, block)
  await expect.poll(async () => (await remote.manager.api.get(`/expenses/${id}`)).body.flag_level).toBe(3)
  await replica.sync()
  const { operations } = (await replica.api.get('/replica/operations?list=conflicts')).body
  expect(operations).toHaveLength(1)
  const here = (await replica.api.get(`/expenses/${id}`)).body
  expect({ status: here.status, flags: flagsOf(here) }).toEqual({ status: 'awaiting_analysis', flags: [['Dinner', 1, 'block']] })
  expect((await remote.manager.api.get(`/expenses/${id}`)).body.status).toBe('awaiting_analysis')
  const again = await replica.api.send('PUT', `/expenses/${id}/status`, approval)
  expect(again.body.errors.status[0].replaceAll('\u00a0', ' ')).toContain('“Dinner” does not allow this: BRL 100.00, limit BRL 80.00.')
})

test('without a network no policy is written, and a changed one arrives with what it finds', async () => {
  const { id } = await recordExpense(remote, remote.member, { amount: 100 })
  const { body: policy } = await remote.manager.api.send('POST', path, { ...block, weight: 'note' })
  replica = await startReplica(remote.url, remote.manager)
  await replica.sync()
  expect((await replica.api.get(path)).body.policies).toMatchObject([{ name: 'Dinner', number: 1 }])
  await remote.manager.api.send('PATCH', `${path}/${policy.id}`, { amount: 90 })
  await expect.poll(async () => flagsOf((await remote.manager.api.get(`/expenses/${id}`)).body)).toEqual([['Dinner', 2, 'note']])
  await replica.sync()
  expect(flagsOf((await replica.api.get(`/expenses/${id}`)).body)).toEqual([['Dinner', 2, 'note']])
})

test('where the remote has newer policies, the replica takes its verdict and says what changed', async () => {
  const supplier = { name: 'Supplier', weight: 'note', condition: 'supplier_missing' }
  const { body: policy } = await remote.manager.api.send('POST', path, supplier)
  replica = await startReplica(remote.url, remote.member)
  await replica.sync()
  const own = { ...remote.member, api: replica.api }
  const [dear, cheap] = [await recordExpense(remote, own, { amount: 100 }), await recordExpense(remote, own, { amount: 7 })]
  const changed = async () => (await replica.api.get('/replica/verdicts')).body.verdicts
  expect(flagsOf((await replica.api.get(`/expenses/${dear.id}`)).body)).toEqual([['Supplier', 1, 'note']])
  await remote.manager.api.send('DELETE', `${path}/${policy.id}`)
  await remote.manager.api.send('POST', path, block)
  await replica.sync()
  expect(flagsOf((await replica.api.get(`/expenses/${dear.id}`)).body)).toEqual([['Dinner', 1, 'block']])
  const told = (await changed()).map(({ expense_id, found, gone }: Json) => [
    expense_id,
    flagsOf({ flags: found }),
    flagsOf({ flags: gone }),
  ])
  expect(told).toHaveLength(2)
  expect(told).toContainEqual([dear.id, [['Dinner', 1, 'block']], [['Supplier', 1, 'note']]])
  expect(told).toContainEqual([cheap.id, [], [['Supplier', 1, 'note']]])
  await replica.api.send('POST', '/replica/verdicts', { expense_ids: [dear.id] })
  expect((await changed()).map(({ expense_id }: Json) => expense_id)).toEqual([cheap.id])
  // The next write is judged by the same policies here and there.
  await replica.api.send('PATCH', `/expenses/${dear.id}`, { description: 'With a client' })
  await replica.sync()
  expect((await changed()).map(({ expense_id }: Json) => expense_id)).toEqual([cheap.id])
  await replica.api.send('PATCH', `/expenses/${cheap.id}`, { amount: 90 })
  await replica.sync()
  expect(await changed()).toEqual([])
})
