import { afterEach, expect, test, vi } from 'vitest'
import { moveExpense, recordExpense } from '#test/support/expenses'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()
const path = `/organizations/${instance.organization_id}/policies`
afterEach(async () => {
  const { policies } = (await instance.manager.api.get(path)).body
  for (const { id } of policies) await instance.manager.api.send('DELETE', `${path}/${id}`)
})

const daily = { name: 'Meals', weight: 'block', condition: 'sum_over', amount: 80, currency: 'BRL', period: 'day' }

async function makePolicy(attributes: Record<string, unknown>): Promise<Json> {
  const { status, body } = await instance.manager.api.send('POST', path, attributes)
  if (status !== 201) throw new Error(`The policy was refused: ${JSON.stringify(body)}`)
  return body
}

/** What policies find; that expenses of one person look alike is found as well. */
const flagsOf = async (id: number, person: Person = instance.manager): Promise<Json[]> => {
  const { flags } = (await person.api.get(`/expenses/${id}`)).body
  return flags.filter(({ condition }: Json) => condition !== 'repeat')
}
const valuesOf = async (ids: readonly number[]) => Promise.all(ids.map(async (id) => (await flagsOf(id)).map(({ value }: Json) => value)))

test('a sum finds every open expense of the day, and follows what is added, changed, rejected and deleted', async () => {
  const { member, manager } = instance
  await makePolicy(daily)
  const on = { occurred_at: '2026-03-10T12:00:00Z' }
  const lunch = await recordExpense(instance, member, { amount: 50, ...on })
  const next = await recordExpense(instance, member, { amount: 50, occurred_at: '2026-03-11' })
  expect(await flagsOf(lunch.id)).toEqual([])
  const dinner = await recordExpense(instance, member, { amount: 40, ...on })
  expect(await flagsOf(dinner.id)).toMatchObject([
    { condition: 'sum_over', value: 90, limit: 80, currency: 'BRL', period: 'day', weight: 'block' },
  ])
  const values = () => valuesOf([lunch.id, dinner.id, next.id])
  await vi.waitFor(async () => expect(await values()).toEqual([[90], [90], []]))
  await member.api.send('PATCH', `/expenses/${dinner.id}`, { amount: 30 })
  await vi.waitFor(async () => expect(await values()).toEqual([[], [], []]))
  await member.api.send('PATCH', `/expenses/${next.id}`, { occurred_at: '2026-03-10' })
  await vi.waitFor(async () => expect(await values()).toEqual([[130], [130], [130]]))
  await moveExpense(manager, next.id, { status: 'rejected' })
  await vi.waitFor(async () => expect(await valuesOf([lunch.id, dinner.id])).toEqual([[], []]))
  await member.api.send('PATCH', `/expenses/${lunch.id}`, { amount: 51 })
  await vi.waitFor(async () => expect(await valuesOf([lunch.id, dinner.id])).toEqual([[81], [81]]))
  await member.api.send('DELETE', `/expenses/${dinner.id}`)
  await vi.waitFor(async () => expect(await valuesOf([lunch.id])).toEqual([[]]))
})

test('others’ expenses, other tags and other currencies are not added', async () => {
  const { member, analyst, manager } = instance
  const { body: meals } = await manager.api.send('POST', `/organizations/${instance.organization_id}/tags`, { name: 'Meals' })
  await makePolicy({ ...daily, tag_ids: [meals.id] })
  const on = { occurred_at: '2026-04-10', tags: 'Meals' }
  const first = await recordExpense(instance, member, { amount: 60, ...on })
  await recordExpense(instance, analyst, { amount: 60, ...on })
  await recordExpense(instance, member, { amount: 60, occurred_at: '2026-04-10' })
  await recordExpense(instance, member, { amount: 60, ...on, currency: 'USD' })
  expect(await flagsOf(first.id)).toEqual([])
  const last = await recordExpense(instance, member, { amount: 21, ...on })
  expect(await valuesOf([last.id])).toEqual([[81]])
})

test('two that fit alone are not both approved: the second is judged again by what was approved a moment ago', async () => {
  const { member, manager } = instance
  const on = { occurred_at: '2026-05-12' }
  const first = await recordExpense(instance, member, { amount: 50, ...on })
  const second = await recordExpense(instance, member, { amount: 50, ...on })
  await makePolicy(daily)
  const approval = { status: 'approved', approved_amount: 50, approved_amount_currency: 'BRL' }
  // Whether or not the background has come to it.
  for (const { id } of [first, second]) {
    const { status, body } = await manager.api.send('PUT', `/expenses/${id}/status`, approval)
    expect({ status, text: body.errors?.status[0] }).toEqual({ status: 422, text: expect.stringContaining('“Meals”') })
  }
})

test('a sum by month and one of distances are found', async () => {
  const { member, manager } = instance
  await makePolicy({ ...daily, name: 'Month', weight: 'note', amount: 100, period: 'month' })
  const early = await recordExpense(instance, member, { amount: 60, occurred_at: '2026-06-01' })
  const late = await recordExpense(instance, member, { amount: 60, occurred_at: '2026-06-30T23:00:00Z' })
  await vi.waitFor(async () => expect(await valuesOf([early.id, late.id])).toEqual([[120], [120]]))
  expect(await flagsOf(late.id, manager)).toMatchObject([{ period: 'month' }])
  const far = { name: 'Far', weight: 'note', condition: 'distance_sum_over', distance: 100, distance_kind: 'km', period: 'week' }
  await makePolicy({ ...far, kinds: ['distance'] })
  const ride = (distance: number, occurred_at: string) =>
    recordExpense(instance, member, { kind: 'distance', distance, distance_kind: 'mi', occurred_at })
  const [monday, sunday] = [await ride(40, '2026-09-07'), await ride(40.5, '2026-09-13')]
  const distances = async () => {
    const flags = (await Promise.all([monday, sunday].map(({ id }) => flagsOf(id)))).flat()
    return flags.filter(({ condition }) => condition === 'distance_sum_over')
  }
  await vi.waitFor(async () =>
    expect(await distances()).toMatchObject(Array(2).fill({ value: 129.552, limit: 100, unit: 'km', period: 'week' })),
  )
})

test('a policy that asks why is answered by the claimant’s words, and approval goes either way', async () => {
  const { member, manager } = instance
  await makePolicy({ name: 'Dear', weight: 'reason', condition: 'amount_over', amount: 80, currency: 'BRL' })
  const { id } = await recordExpense(instance, member, { amount: 100, occurred_at: '2026-07-01' })
  const read = async () => (await manager.api.get(`/expenses/${id}`)).body
  expect(await read()).toMatchObject({ flag_level: 2, justification: null, flags: [{ weight: 'reason', is_explained: false }] })
  await member.api.send('PATCH', `/expenses/${id}`, { justification: 'The client came' })
  expect(await read()).toMatchObject({ flag_level: 1, justification: 'The client came', flags: [{ is_explained: true }] })
  const { changes } = (await manager.api.get(`/expenses/${id}/activities`)).body.activities[0]
  expect(changes).toContain('the reason from empty to “The client came”')
  await moveExpense(manager, id, { status: 'approved', approved_amount: 100, approved_amount_currency: 'BRL' })
  expect(await read()).toMatchObject({ flag_level: 1 })
})

test('the approval itself is judged, and the verdict stays', async () => {
  const { member, manager } = instance
  await makePolicy({ name: 'Currency', weight: 'note', condition: 'approved_in_other_currency' })
  const { id } = await recordExpense(instance, member, { amount: 100, currency: 'USD', occurred_at: '2026-07-02' })
  await moveExpense(manager, id, { status: 'approved', approved_amount: 500, approved_amount_currency: 'BRL' })
  expect(await flagsOf(id)).toMatchObject([{ condition: 'approved_in_other_currency' }])
})

test('a form learns what the others come to: one’s own, and everyone’s for those who record for others', async () => {
  const { member, analyst, stranger } = instance
  const policy = await makePolicy(daily)
  const { id } = await recordExpense(instance, member, { amount: 30, occurred_at: '2026-08-04' })
  const sums = (person: Person, more = '') =>
    person.api.get(
      `/organizations/${instance.organization_id}/policy_sums?claimant_id=${member.user_id}&occurred_at=2026-08-04&currency=BRL${more}`,
    )
  for (const person of [member, analyst])
    expect((await sums(person)).body).toEqual({ policy_sums: [{ policy_id: policy.id, others: 3000 }] })
  expect((await sums(member, `&except_id=${id}`)).body.policy_sums).toEqual([{ policy_id: policy.id, others: 0 }])
  expect((await sums(stranger)).status).toBe(404)
  const others = `/organizations/${instance.organization_id}/policy_sums?claimant_id=${analyst.user_id}&occurred_at=2026-08-04&currency=BRL`
  expect((await member.api.get(others)).status).toBe(403)
})

test('a replay tells what a policy would have found, and leaves nothing behind', async () => {
  const { member, manager, analyst } = instance
  const on = (day: string) => ({ occurred_at: `2024-02-${day}`, description: 'Replayed' })
  for (const [day, amount] of [
    ['05', 50],
    ['05', 40],
    ['06', 80],
    ['07', 81],
  ] as const)
    await recordExpense(instance, member, { amount, ...on(day) })
  await recordExpense(instance, analyst, { amount: 200, ...on('08') })
  const replay = (said: Record<string, unknown>, person: Person = manager) =>
    person.api.get(
      `/organizations/${instance.organization_id}/policy_replay?since=2024-02-01&policy=${encodeURIComponent(JSON.stringify(said))}`,
    )
  const { body } = await replay({ ...daily, claimant_ids: [member.user_id] })
  const old = body.expenses.filter(({ description }: Json) => description === 'Replayed')
  expect(old.map(({ amount, flag }: Json) => [amount, flag.value])).toEqual([
    [50, 90],
    [40, 90],
    [81, 81],
  ])
  expect(body.claimants).toEqual([{ id: member.user_id, name: expect.any(String), count: body.found }])
  expect(body.next).toBeNull()
  expect((await manager.api.get(path)).body.count).toBe(0)
  expect((await replay(daily, member)).status).toBe(403)
  const wrong = await replay({ ...daily, period: undefined })
  expect({ status: wrong.status, errors: wrong.body.errors }).toEqual({ status: 422, errors: { period: ["can't be blank"] } })
})
