import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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

const conflicts = async (): Promise<Json[]> => (await replica.api.get('/replica/operations?list=conflicts')).body.operations
const decide = async (decision: string, operations: ReadonlyArray<{ op_id: string; seen?: string }>): Promise<Json> => {
  const named = operations.map(({ op_id, seen }) => ({ op_id, seen }))
  return (await replica.api.send('POST', '/replica/operations', { decision, operations: named })).body
}
const thereOf = async (id: number): Promise<Json> => (await remote.manager.api.get(`/expenses/${id}`)).body
const stale = 'The record has changed since you saw it.'

/** Expenses of a replica's manager, all edited on both sides. */
async function disagree(count: number): Promise<number[]> {
  const ids: number[] = []
  for (let turn = 0; turn < count; turn += 1) ids.push((await recordExpense(remote, remote.member, { description: 'Taxi' })).id)
  replica = await startReplica(remote.url, remote.manager)
  await replica.sync()
  for (const id of ids) {
    await replica.api.send('PATCH', `/expenses/${id}`, { description: 'Mine' })
    await remote.member.api.send('PATCH', `/expenses/${id}`, { description: 'Theirs' })
  }
  await replica.sync()
  return ids
}

/** An approval of an expense that others have changed meanwhile: it came back. */
async function approveStale(): Promise<number> {
  const { id } = await recordExpense(remote, remote.member, { amount: 10 })
  replica = await startReplica(remote.url, remote.manager)
  await replica.sync()
  await replica.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 10 })
  await remote.member.api.send('PATCH', `/expenses/${id}`, { amount: 11 })
  await replica.sync()
  return id
}

describe('several operations that came back', () => {
  test('are decided in one act, and those that cannot be decided stay and are reported', async () => {
    const ids = await disagree(4)
    const [first, second, third, fourth] = await conflicts()
    expect(await decide('mine', [first, second])).toEqual({ decided: 2, refused: [] })
    const unknown = { op_id: '01a1fd47-d104-7042-8aa0-309e4647f79c' }
    expect(await decide('theirs', [unknown, third, first])).toMatchObject({
      decided: 1,
      refused: [{ op_id: unknown.op_id }, { op_id: first.op_id, message: 'decision: is invalid' }],
    })
    expect((await conflicts()).map(({ op_id }) => op_id)).toEqual([fourth.op_id])
    expect(await replica.sync()).toMatchObject({ pushed: 2, conflicts: 1, failed: 0 })
    const descriptions = await Promise.all(ids.map(async (id) => (await thereOf(id)).description))
    expect(descriptions).toEqual(['Mine', 'Mine', 'Theirs', 'Theirs'])
  })

  test('and disagree on one record are decided one after the other by what each of them shows', async () => {
    const { id } = await recordExpense(remote, remote.member, { description: 'Taxi', location: 'Olinda' })
    replica = await startReplica(remote.url, remote.manager)
    await replica.sync()
    for (const body of [{ description: 'Mine' }, { location: 'My place' }]) await replica.api.send('PATCH', `/expenses/${id}`, body)
    await remote.member.api.send('PATCH', `/expenses/${id}`, { description: 'Theirs', location: 'Their place' })
    await replica.sync()
    const both = await conflicts()
    expect(both).toHaveLength(2)
    expect(await decide('mine', both)).toEqual({ decided: 2, refused: [] })
    expect(await replica.sync()).toMatchObject({ pushed: 2, conflicts: 0 })
    expect(await thereOf(id)).toMatchObject({ description: 'Mine', location: 'My place' })
  })
})

describe('a decision based on outdated data', () => {
  test('is refused where the others have changed it again; what they wrote stays, and is shown', async () => {
    const [id = 0] = await disagree(1)
    const [seen] = await conflicts()
    await remote.member.api.send('PATCH', `/expenses/${id}`, { description: 'Theirs, corrected' })
    await replica.sync()
    expect(await decide('mine', [seen])).toEqual({ decided: 0, refused: [{ op_id: seen.op_id, message: stale }] })
    const [now] = await conflicts()
    expect(now.answer.differences).toEqual([{ attribute: 'description', base: 'Taxi', mine: 'Mine', theirs: 'Theirs, corrected' }])
    await replica.sync()
    expect(await thereOf(id)).toMatchObject({ description: 'Theirs, corrected' })
    expect(await decide('mine', [now])).toMatchObject({ decided: 1 })
    await replica.sync()
    expect(await thereOf(id)).toMatchObject({ description: 'Mine' })
  })

  test('approves no amount, receipt or comment that was not seen', async () => {
    const id = await approveStale()
    const changes = [
      () => remote.member.api.send('PATCH', `/expenses/${id}`, { amount: 12 }),
      () => attach(remote.member.api, id, 'a.png'),
      () => remote.member.api.send('POST', `/expenses/${id}/comments`, { content: 'It was for two people, sorry' }),
    ]
    for (const change of changes) {
      const [seen] = await conflicts()
      expect(await conflicts()).toEqual([seen])
      await change()
      await replica.sync()
      expect(await decide('again', [seen])).toEqual({ decided: 0, refused: [{ op_id: seen.op_id, message: stale }] })
    }
    await replica.sync()
    expect(await thereOf(id)).toMatchObject({ status: 'awaiting_analysis', amount: 12 })
    const [now] = await conflicts()
    expect(now.answer.differences).toMatchObject([
      { attribute: 'amount', base: 10, theirs: 12 },
      { attribute: 'attachments_count', base: 0, theirs: 1 },
      { attribute: 'comments_count', base: 0, theirs: 1 },
    ])
    expect(await decide('again', [now])).toMatchObject({ decided: 1 })
    expect(await replica.sync()).toMatchObject({ pushed: 1, conflicts: 0 })
    expect(await thereOf(id)).toMatchObject({ status: 'approved', approved_amount: 10 })
  })

  test('is made all the same where it is to leave things as they are', async () => {
    const id = await approveStale()
    const [seen] = await conflicts()
    await remote.member.api.send('PATCH', `/expenses/${id}`, { amount: 12 })
    await replica.sync()
    expect(await decide('discard', [seen])).toEqual({ decided: 1, refused: [] })
    expect(await replica.sync()).toMatchObject({ pushed: 0, conflicts: 0 })
    expect(await thereOf(id)).toMatchObject({ status: 'awaiting_analysis', amount: 12 })
  })
})

test('an approval that the organization has meanwhile left to someone else comes back, and says to whom', async () => {
  const { id } = await recordExpense(remote, remote.manager, { amount: 10 })
  replica = await startReplica(remote.url, remote.manager)
  await replica.sync()
  const approve = () => replica.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 10 })
  expect((await approve()).status).toBe(200)
  await remote.admin.api.send('PATCH', `/organizations/${remote.organization_id}`, { separate_approval: true })
  expect(await replica.sync()).toMatchObject({ pushed: 0, failed: 1 })
  const [refused] = (await replica.api.get('/replica/operations?list=failed')).body.operations
  expect(refused.answer.message).toMatch(/someone else approve.*Ada Admin/)
  for (const api of [remote.manager.api, replica.api])
    expect((await api.get(`/expenses/${id}`)).body).toMatchObject({ status: 'awaiting_analysis', approved_amount: null })
  expect((await approve()).body.errors.message).toMatch(/Ada Admin/)
  expect((await replica.api.get('/session')).body.memberships[0].own_kept_from).toEqual(['approved', 'liquidated'])
})

test('deciding for one’s currency decides for the amount that was seen with it', async () => {
  const { id } = await recordExpense(remote, remote.member, { amount: 30, currency: 'EUR' })
  replica = await startReplica(remote.url, remote.manager)
  await replica.sync()
  expect((await replica.api.send('PATCH', `/expenses/${id}`, { currency: 'USD' })).body).toMatchObject({ amount: 30, currency: 'USD' })
  await remote.member.api.send('PATCH', `/expenses/${id}`, { amount: 25, currency: 'JPY' })
  await replica.sync()
  const [conflict] = await conflicts()
  expect(await decide('mine', [conflict])).toEqual({ decided: 1, refused: [] })
  await replica.sync()
  expect(await thereOf(id)).toMatchObject({ amount: 30, currency: 'USD' })
})

test('an edit writes nothing that it repeats unchanged over what others have made of it', async () => {
  const { id } = await recordExpense(remote, remote.member, { amount: 30, currency: 'USD' })
  replica = await startReplica(remote.url, remote.manager)
  await replica.sync()
  await replica.api.send('PATCH', `/expenses/${id}`, { currency: 'USD', location: 'Olinda' })
  await remote.member.api.send('PATCH', `/expenses/${id}`, { amount: 25, currency: 'JPY' })
  expect(await replica.sync()).toMatchObject({ pushed: 1, conflicts: 0, failed: 0 })
  expect(await thereOf(id)).toMatchObject({ amount: 25, currency: 'JPY', location: 'Olinda' })
})

test('a replica keeps approvals to their rules, and one made before it knew of them comes back', async () => {
  const path = `/organizations/${remote.organization_id}`
  const addRule = (fields: object) => remote.admin.api.send('POST', `${path}/approval_rules`, { name: 'A rule', ...fields })
  const [before, after] = [await recordExpense(remote, remote.member), await recordExpense(remote, remote.member)]
  replica = await startReplica(remote.url, remote.manager)
  await replica.sync()
  const approve = (id: number) => replica.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 10 })
  expect((await approve(before.id)).status).toBe(200)
  const limit = { rule: 'authority', user_ids: [remote.manager.user_id], amount: 5, currency: 'BRL' }
  expect((await addRule(limit)).status).toBe(201)
  expect(await replica.sync()).toMatchObject({ pushed: 0, failed: 1 })
  const [refused] = (await replica.api.get('/replica/operations?list=failed')).body.operations
  expect(refused.answer.message).toMatch(/beyond what you may approve \(5 BRL\)\. .*Ada Admin/)
  expect((await replica.api.get(`/expenses/${before.id}`)).body).toMatchObject({ status: 'awaiting_analysis' })
  expect((await approve(after.id)).body.errors.message).toMatch(/Ada Admin/)
})

test('who stands in for someone decides on a replica too, from the day that they do', async () => {
  const { id } = await recordExpense(remote, remote.member)
  replica = await startReplica(remote.url, remote.analyst)
  const approve = () => replica.api.send('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 10 })
  await replica.sync()
  expect((await approve()).status).toBe(403)
  const people = { user: { id: remote.manager.user_id, type: 'User' }, delegate: { id: remote.analyst.user_id, type: 'User' } }
  const times = { starts_at: '2020-01-01', ends_at: '2090-01-01' }
  const standIns = `/organizations/${remote.organization_id}/stand_ins`
  expect((await remote.manager.api.send('POST', standIns, { name: 'Away', ...people, ...times })).status).toBe(201)
  await replica.sync()
  expect((await replica.api.get(`/expenses/${id}/status`)).body.status.map(({ slug }: Json) => slug)).toContain('approved')
  expect((await approve()).status).toBe(200)
  expect(await replica.sync()).toMatchObject({ pushed: 1, failed: 0 })
  expect(await thereOf(id)).toMatchObject({ status: 'approved' })
})
