import { afterAll, beforeEach, expect, test } from 'vitest'
import { moveExpense } from '#test/support/expenses'
import { planBatch } from '#renderer/records/expense/deciding/batch-plan'
import { addTotals } from '#renderer/ui/values/sums'
import type { Decision } from '#renderer/records/expense/deciding/decision'
import { actOnRows } from '#renderer/records/expense/deciding/act'
import { deps, startSequences } from './sequences'

/** What the sheet says before an act, asked of a real server; what it leaves out is told by `test/laws/dry-run.law.test.ts`. */
const sequences = await startSequences()
beforeEach(() => sequences.begin())
afterAll(() => sequences.end())

const approve: Decision = { kind: 'approve' }

test('a plan adds up what will be done and nothing else, names each reason once, and changes nothing', async () => {
  const { instance, startList } = sequences
  const { read } = await startList(6, { forbidden: 2, amount: 30 })
  const [first, second] = read
  for (const one of [first, second]) if (one) await moveExpense(instance.manager, one.id, { status: 'rejected' })
  const shown = await Promise.all(
    read.map(async ({ id }, index) => (index === 0 ? read[0] : (await instance.manager.api.get(`/expenses/${id}`)).body)),
  )
  const done: number[] = []
  const pages = [shown.slice(0, 5), shown.slice(5)]
  const plan = await planBatch(approve, pages, { onDone: (count) => done.push(count) })
  expect(done).toEqual([5, 8])
  expect(plan.acting.map(({ uid }) => uid)).toEqual(read.slice(2, 6).map(({ uid }) => uid))
  expect(plan.totals).toEqual(addTotals([{ amount: 120, currency: 'BRL' }]))
  const reasons = plan.skipped.map(({ reason, status, count }) => [reason, status, count])
  expect(reasons).toEqual([
    ['forbidden', 'awaiting_analysis', 2],
    ['stale', 'awaiting_analysis', 1],
    ['not_offered', 'rejected', 1],
  ])
  expect((await instance.manager.api.get('/expenses?q[status_eq]=approved')).body.count).toBe(0)
})

test('a plan waits for what the page is still writing, and what only the policies judged again is no change', async () => {
  const { instance, startList, delay } = sequences
  const { read } = await startList(3, { amount: 44 })
  delay(() => new Promise((resolve) => setTimeout(resolve, 20)))
  const acting = actOnRows(deps, { act: { kind: 'reject', reason: 'no' }, expenses: read.slice(0, 1) })
  const plan = await planBatch(approve, [read.slice(0, 1)])
  await acting
  expect(plan).toMatchObject({ acting: [], skipped: [{ reason: 'not_offered', status: 'rejected', count: 1 }] })
  // The others repeat the rejected one no more: the server judged them again.
  const { version } = (await instance.manager.api.get(`/expenses/${String(read[1]?.id)}`)).body
  expect(version).toBeGreaterThan(read[1]?.version ?? 0)
  expect((await planBatch(approve, [read.slice(1)])).acting).toHaveLength(2)
})

test('what a batch leaves as it is has its reasons', async () => {
  const { instance, startList } = sequences
  const { read } = await startList(3, { forbidden: 2, amount: 31 })
  await moveExpense(instance.manager, read[0]?.id ?? 0, { status: 'rejected' })
  const { done, failed, reasons } = await actOnRows(deps, { act: approve, expenses: read })
  expect(done.map(({ uid }) => uid)).toEqual([read[1]?.uid, read[2]?.uid])
  expect(failed).toHaveLength(3)
  expect(reasons).toHaveLength(3)
  expect(new Set(reasons).size).toBe(2)
  expect(reasons).not.toContain('')
})
