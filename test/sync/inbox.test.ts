import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import { type Api, type Instance, startInstance } from '#test/support/instance'
import { untilNotified } from '#test/support/notifications'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

let remote: Instance
const replicas: ReplicaInstance[] = []
beforeEach(async () => {
  remote = await startInstance({ settings: { OUTLAY_MAIL_DIGEST_MS: 200 } })
  await untilNotified(remote)
})
afterEach(async () => {
  for (const replica of replicas.splice(0)) await replica.remove()
  await remote.remove()
})

const inboxOf = async ({ api }: { api: Api }) => (await api.get('/user_notifications')).body
const see = ({ api }: { api: Api }, until_id: number) => api.send('POST', '/user_notifications/seen', { until_id })

async function replicaOf(person: { token: string }): Promise<ReplicaInstance> {
  const replica = await startReplica(remote.url, person)
  replicas.push(replica)
  await replica.sync()
  return replica
}

test('what was seen on a replica without a connection is seen everywhere after the next exchange', async () => {
  const { id } = await recordExpense(remote, remote.member, { description: 'Taxi' })
  for (const content of ['one', 'two']) await remote.manager.api.send('POST', `/expenses/${id}/comments`, { content })
  await untilNotified(remote)
  const [one, other] = [await replicaOf(remote.member), await replicaOf(remote.member)]
  const { user_notifications, unseen_count } = await inboxOf(one)
  expect(unseen_count).toBe(2)
  expect(user_notifications).toMatchObject([
    { kind: 'comment', title: 'Taxi', path: `/expenses/${id}`, is_seen: false },
    { kind: 'comment' },
  ])
  expect(user_notifications[0].sentence).toContain('two')
  // Both devices mark, one more than the other: neither conflicts, and nothing becomes unseen again.
  expect((await see(one, user_notifications[0].id)).status).toBe(204)
  expect((await see(other, user_notifications[1].id)).status).toBe(204)
  expect((await inboxOf(one)).unseen_count).toBe(0)
  expect((await inboxOf(remote.member)).unseen_count).toBe(2)
  expect(await one.sync()).toMatchObject({ pushed: 1, conflicts: 0, failed: 0 })
  expect((await inboxOf(remote.member)).unseen_count).toBe(0)
  expect(await other.sync()).toMatchObject({ conflicts: 0, failed: 0 })
  for (const device of [one, other, remote.member]) expect((await inboxOf(device)).unseen_count).toBe(0)
})
