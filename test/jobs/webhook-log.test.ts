import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { failuresOf, pauseAfter } from '#main/jobs/webhook-lane'
import { deliverer } from '#main/jobs/webhook-outcomes'
import { countDroppedBefore, listHeadRows, listWaitingRows, pruneDeliveries } from '#main/store/queues/webhook-queue'
import { isOnPostgres } from '#test/support/databases/database-of'
import { recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'
import { type Receiver, startReceiver } from '#test/support/receiver'

let instance: Instance
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  instance = await startInstance({ settings: { OUTLAY_WEBHOOK_ALLOW_PRIVATE: true } })
})
afterAll(async () => {
  await instance.remove()
  await receiver.close()
})

test('old deliveries are forgotten in slices, but not one whose repeat is still there', async () => {
  const hooks = `/organizations/${instance.organization_id}/integrations/webhooks`
  const { id } = (await instance.manager.api.send('POST', hooks, { url: receiver.url })).body
  const log = async (): Promise<Json[]> => (await instance.manager.api.get(`${hooks}/${id}/deliveries`)).body.deliveries
  const allDelivered = (count: number) =>
    expect.poll(async () => (await log()).filter(({ state }) => state === 'delivered')).toHaveLength(count)
  for (let count = 0; count < 3; count += 1) await recordExpense(instance, instance.member)
  await allDelivered(3)
  const first = (await log()).at(-1)
  await instance.manager.api.send('POST', `${hooks}/${id}/deliveries/${first.id}/redeliver`)
  await allDelivered(4)
  const prune = (before: string, limit: number) => instance.app.store.transact(deliverer, (tx) => pruneDeliveries(tx, { before, limit }))
  expect(await prune('2000-01-01T00:00:00Z', 100)).toBe(0)
  expect(await prune('9999-01-01T00:00:00Z', 2)).toBe(2)
  expect(await log()).toHaveLength(2)
  expect(await prune('9999-01-01T00:00:00Z', 100)).toBeGreaterThan(0)
  await prune('9999-01-01T00:00:00Z', 100)
  expect(await log()).toEqual([])
})

test('the pauses of one that stays away double on from one delivery to the next, up to 256 times the first', async () => {
  const pauses = (failures: number) => Array.from({ length: 50 }, () => pauseAfter(systemClock, failures, 1000))
  for (const [failures, ms] of [
    [1, 1_000],
    [2, 2_000],
    [6, 32_000],
    [7, 64_000],
    [9, 256_000],
    [500, 256_000],
  ] as const)
    for (const pause of pauses(failures)) {
      expect(pause).toBeGreaterThanOrEqual(ms * 0.75)
      expect(pause).toBeLessThanOrEqual(ms * 1.25)
    }
  expect(failuresOf({ attempts: 1, droppedBefore: 1 })).toBe(7)
  expect(await countDroppedBefore(instance.app.store.reader, { webhook_id: 999, id: 1 })).toBe(0)
})

test.skipIf(isOnPostgres)('what waits is found by its own index, however long the log is', () => {
  const { reader } = instance.app.store
  for (const { sql, parameters } of [listHeadRows.build(reader.db).compile(), listWaitingRows.build(reader.db).compile()]) {
    const plan = instance.app.store
      .explain(
        sql,
        parameters.map(() => 1),
      )
      .join('; ')
    expect(plan).toMatch(/USING (COVERING )?INDEX webhook_deliveries_queue \(state=\? AND webhook_id=\?\)/)
    expect(plan).not.toMatch(/webhook_deliveries_(log|newest)/)
  }
})
