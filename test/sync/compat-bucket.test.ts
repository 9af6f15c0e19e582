import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { attach } from '#test/support/attach'
import { newExpense } from '#test/support/expenses'
import { type Instance, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'
import { type S3, startS3 } from '#test/support/s3'

let s3: S3
let remote: Instance
let replica: ReplicaInstance
beforeEach(async () => (s3 = await startS3(() => systemClock.now())))
afterEach(async () => {
  await replica.remove()
  await remote.remove()
  await s3.close()
})

/** Records an expense with a receipt on the replica and exchanges it; answers the file that the remote then has. */
async function sendReceipt(): Promise<{ file_name: string; status: number }> {
  await replica.sync()
  const { body: made } = await replica.api.send('POST', '/expenses', newExpense(remote))
  await attach(replica.api, made.id, 'a.png')
  expect(await replica.sync()).toMatchObject({ ended: 'synced', error: null, uploads: 1 })
  const [there] = (await remote.member.api.get('/expenses')).body.expenses
  const [{ file_name, url }] = there.attachments
  return { file_name, status: (await fetch(url)).status }
}

test('a receipt added offline goes to the bucket of a remote that supports only the published API', async () => {
  remote = await startInstance({ settings: { OUTLAY_SYNC: false, ...s3.settings } })
  replica = await startReplica(remote.url, remote.member)
  expect(await sendReceipt()).toEqual({ file_name: 'a.png', status: 200 })
  expect([...s3.objects.keys()]).toEqual([expect.stringMatching(/\/a\.png$/)])
})

test('a receipt that was uploaded to the bucket of a replica reaches the remote by the exchange', async () => {
  remote = await startInstance()
  replica = await startReplica(remote.url, remote.member, { settings: s3.settings })
  expect(await sendReceipt()).toEqual({ file_name: 'a.png', status: 200 })
  expect(s3.reads).toHaveLength(1)
})
