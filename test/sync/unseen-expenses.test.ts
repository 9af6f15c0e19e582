import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openAccountability } from '#test/support/accountabilities'
import { recordExpense } from '#test/support/expenses'
import { type Api, type Instance, type Json, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

describe.each([
  ['that syncs', true],
  ['that speaks the published contract alone', false],
])('an accountability with an expense that its receiver does not see, at a remote %s', (_, OUTLAY_SYNC) => {
  let remote: Instance
  let replica: ReplicaInstance
  let own: number[]
  let unseen: number
  let accountability: Json
  beforeEach(async () => {
    remote = await startInstance({ settings: { OUTLAY_SYNC } })
    own = []
    for (let turn = 0; turn < 3; turn += 1) own.push((await recordExpense(remote, remote.member)).id)
    unseen = (await recordExpense(remote, remote.analyst)).id
    accountability = await openAccountability(remote, remote.analyst, { expense_ids: [own[0], unseen] })
    replica = await startReplica(remote.url, remote.member)
    await replica.sync()
  })
  afterEach(async () => {
    await replica.remove()
    await remote.remove()
  })

  const path = () => `/accountability/${accountability.id}`
  const idsIn = async (api: Api): Promise<number[]> => (await api.get(path())).body.expense_ids
  const choose = async (expense_ids: readonly number[], method = 'PATCH') => {
    const { title, description, payer, receiver } = accountability
    const body = method === 'PUT' ? { title, description, payer, receiver, expense_ids } : { expense_ids }
    expect((await replica.api.send(method, path(), body)).status).toBe(200)
  }
  const synced = { ended: 'synced', conflicts: 0, failed: 0 }

  test.each(['PATCH', 'PUT'])('keeps it when the receiver adds and removes others by %s', async (method) => {
    expect(await idsIn(replica.api)).toEqual([own[0]])
    await choose([own[1] ?? 0, own[2] ?? 0], method)
    expect(await replica.sync()).toMatchObject(synced)
    expect(await idsIn(remote.analyst.api)).toEqual([own[1], own[2], unseen])
    expect(await idsIn(replica.api)).toEqual([own[1], own[2]])
  })

  test('keeps it when the receiver decides a conflict by their own choice', async () => {
    await choose([own[0] ?? 0, own[1] ?? 0])
    await remote.analyst.api.send('PATCH', path(), { expense_ids: [own[0], own[2], unseen] })
    expect(await replica.sync()).toMatchObject({ ...synced, conflicts: 1 })
    const [operation] = (await replica.api.get('/replica/operations?list=conflicts')).body.operations
    expect(operation.answer.differences).toEqual([
      { attribute: 'expense_ids', base: [own[0]], mine: [own[0], own[1]], theirs: [own[0], own[2]] },
    ])
    const decided = { decision: 'mine', operations: [{ op_id: operation.op_id, seen: operation.seen }] }
    expect((await replica.api.send('POST', '/replica/operations', decided)).body).toEqual({ decided: 1, refused: [] })
    expect(await replica.sync()).toMatchObject(synced)
    expect(await idsIn(remote.analyst.api)).toEqual([own[0], own[1], unseen])
  })

  test('keeps one that was added since the receiver last looked', async () => {
    const later = (await recordExpense(remote, remote.analyst)).id
    await choose([own[0] ?? 0, own[1] ?? 0])
    await remote.analyst.api.send('PATCH', path(), { expense_ids: [own[0], unseen, later] })
    expect(await replica.sync()).toMatchObject(synced)
    expect(await idsIn(remote.analyst.api)).toEqual([own[0], own[1], unseen, later])
  })

  test('moves to review without a conflict', async () => {
    expect((await replica.api.send('PUT', `${path()}/status`, { status: 'ready_to_review' })).status).toBe(200)
    expect(await replica.sync()).toMatchObject(synced)
    expect((await remote.analyst.api.get(path())).body).toMatchObject({ status: 'ready_to_review', expense_ids: [own[0], unseen] })
  })
})
