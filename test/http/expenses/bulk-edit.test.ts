import { expect, test } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import type { Instance, Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()
const expenses: Json[] = []
for (let index = 0; index < 30; index += 1)
  expenses.push(await recordExpense(instance, instance.member, { amount: 10 + index, tags: ['Meals'] }))

const operations = (etagOf: (expense: Json) => string | undefined, body: Json) =>
  expenses.map((expense) => ({ method: 'PATCH', path: `/expenses/${expense.id}`, body, if_match: etagOf(expense) }))
const etags = new Map<number, string>()
async function readEtags(): Promise<void> {
  for (const { id } of expenses) etags.set(id, (await instance.analyst.api.get(`/expenses/${id}`)).headers.get('etag') ?? '')
}
const send = async (who: Instance['manager'], body: Json): Promise<number[]> => {
  const response = await who.api.send('POST', '/batch', { operations: operations(({ id }) => etags.get(id), body) })
  return response.body.results.map(({ status }: Json) => status)
}

test('one request edits many expenses, each with the version that was seen; what changed since stays as it is', async () => {
  await readEtags()
  await instance.manager.api.send('PATCH', `/expenses/${expenses[3].id}`, { location: 'Natal' })
  const edit = { tags: 'Meals, Fair', supplier_name: 'Sol', location: 'Recife', occurred_at: '2026-04-01' }
  const statuses = await send(instance.analyst, edit)
  expect(statuses.filter((status) => status === 200)).toHaveLength(29)
  expect(statuses[3]).toBe(412)
  const { body } = await instance.analyst.api.get(
    '/expenses?q[supplier_name_eq]=Sol&q[search_tags]=Fair&q[location_eq]=Recife&q[occurred_at_eq]=2026-04-01',
  )
  expect(body.count).toBe(29)
})

test('who may not edit an expense changes nothing of it in a batch either', async () => {
  await readEtags()
  const other = await recordExpense(instance, instance.manager, { amount: 77 })
  const response = await instance.member.api.send('POST', '/batch', {
    operations: [{ method: 'PATCH', path: `/expenses/${other.id}`, body: { supplier_name: 'Lua' } }],
  })
  expect(response.body.results[0].status).toBe(404)
  await instance.manager.api.send('PUT', `/expenses/${expenses[0].id}/status`, { status: 'approved', approved_amount: 10 })
  await readEtags()
  const statuses = await send(instance.analyst, { location: 'Olinda' })
  expect([statuses[0], statuses[1]]).toEqual([403, 200])
  expect((await instance.analyst.api.get(`/expenses/${expenses[0].id}`)).body.location).toBe('Recife')
})
