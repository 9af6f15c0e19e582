import fc from 'fast-check'
import { beforeAll, expect, test, vi } from 'vitest'
import { findPolicyRun } from '#main/store/queues/policy-runs'
import { findSumRun } from '#main/store/queues/sum-runs'
import { listVerdictProblems } from '#main/store/records/expenses/verdicts'
import { recordExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'
import type { Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

let claimants = 0
const instance = await instanceOfFile()
beforeAll(async () => {
  const { manager, organization_id } = instance
  const { body: meals } = await manager.api.send('POST', `/organizations/${organization_id}/tags`, { name: 'Meals' })
  const path = `/organizations/${organization_id}/policies`
  const sum = { weight: 'note', condition: 'sum_over', currency: 'BRL' }
  await manager.api.send('POST', path, { ...sum, name: 'Day', amount: 80, period: 'day', tag_ids: [meals.id] })
  await manager.api.send('POST', path, { ...sum, name: 'Month', amount: 200, period: 'month' })
  const far = { weight: 'note', condition: 'distance_sum_over', distance: 90, distance_kind: 'km', period: 'week' }
  await manager.api.send('POST', path, { ...far, name: 'Far', kinds: ['distance'] })
  const { body: week } = await manager.api.send('POST', path, { ...sum, name: 'Week', amount: 120, period: 'week' })
  // Those of one week are judged by two versions.
  await manager.api.send('PATCH', `${path}/${week.id}`, { amount: 60, holds_from: '2026-03-04' })
})

const occurred_at = fc.integer({ min: 1, max: 12 }).map((date) => `2026-03-${String(date).padStart(2, '0')}`)
const amount = fc.constantFrom(10, 30, 55, 90)
const tags = fc.constantFrom('Meals', 'Taxi', 'Meals,Taxi')
const bought = fc.record({ amount, occurred_at, currency: fc.constantFrom('BRL', 'BRL', 'USD'), tags })
const driven = fc.record({
  occurred_at,
  distance: fc.constantFrom(20, 50, 95),
  kind: fc.constant('distance'),
  distance_kind: fc.constant('km'),
})
const edited = fc.oneof(fc.record({ amount }), fc.record({ occurred_at }), fc.record({ tags }), bought)
const moved = fc.constantFrom('rejected', 'awaiting_analysis', 'analyzing')
const place = fc.nat(9)
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ record: fc.oneof(bought, driven) }) },
  { weight: 3, arbitrary: fc.record({ edit: edited, place }) },
  { weight: 2, arbitrary: fc.record({ status: moved, place }) },
  fc.record({ remove: fc.constant(true), place }),
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Several claimants are tried in turn: one who is above every limit shows little. */
async function carryOut(steps: ReadonlyArray<Step>, person: Person): Promise<void> {
  const ids: number[] = []
  for (const one of steps) {
    const path = 'place' in one ? `/expenses/${ids[one.place % Math.max(1, ids.length)] ?? 0}` : ''
    if ('record' in one) ids.push((await recordExpense(instance, person, one.record)).id)
    else if ('edit' in one) await person.api.send('PATCH', path, one.edit)
    else if ('status' in one) await instance.manager.api.send('PUT', `${path}/status`, { status: one.status, comment: 'Why' })
    else await person.api.send('DELETE', path)
  }
}

test('whatever is recorded, edited, moved and deleted: everyone’s findings are those that the sums give', async () => {
  const { store } = instance.app
  const judged = async () => [await findPolicyRun(store.reader), await findSumRun(store.reader)]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      await carryOut(steps, await instance.addUser(`Claimant${(claimants += 1)}`, 'member'))
      await vi.waitFor(async () => expect(await judged()).toEqual([undefined, undefined]))
      expect(await listVerdictProblems(store.reader)).toEqual([])
    }),
    // What is wrong stays wrong: no shorter case would show anything.
    { numRuns: Number(process.env.SUMS ?? inForm(8, 20)), endOnFailure: true },
  )
})
