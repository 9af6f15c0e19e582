import { expect, test } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const ids: Record<'early' | 'late' | 'same', number> = { early: 0, late: 0, same: 0 }
const instance = await instanceOfFile()
// Recorded in another order than that in which they occurred.
ids.late = (await recordExpense(instance, instance.member, { occurred_at: '2026-03-03' })).id
ids.early = (await recordExpense(instance, instance.member, { occurred_at: '2026-01-01' })).id
ids.same = (await recordExpense(instance, instance.member, { occurred_at: '2026-03-03' })).id

const idsOf = async (path: string): Promise<number[]> => {
  const { body } = await instance.member.api.get(path)
  const items = Object.values<Json>(body).find(Array.isArray) ?? []
  return items.map(({ id }: Json) => id)
}

test('expenses are listed by the day they occurred, newest first, then by id', async () => {
  const newest = [ids.same, ids.late, ids.early]
  expect(await idsOf('/expenses')).toEqual(newest)
  expect(await idsOf('/expenses?q[status_eq]=awaiting_analysis')).toEqual(newest)
  expect(await idsOf('/expenses?sort=-created_at')).toEqual([ids.same, ids.early, ids.late])
})

test('following the pages of that order visits every expense once, whatever is added meanwhile', async () => {
  const first = await instance.member.api.get('/expenses?per_page=2')
  const next = /<[^>]*(\?[^>]*)>; rel=next/.exec(first.headers.get('link') ?? '')?.[1]
  await recordExpense(instance, instance.member, { occurred_at: '2026-06-01' })
  expect(await idsOf(`/expenses${next}`)).toEqual([ids.early])
})

test.each([
  ['comments', (n: number) => ({ path: `/expenses/${ids.late}/comments`, body: { content: `Comment ${n}` } })],
  ['pre-expenses', (n: number) => ({ path: '/pre_expenses', body: { description: `Ride ${n}` } })],
  ['tags', (n: number) => ({ path: `/organizations/${instance.organization_id}/tags`, body: { name: `Tag ${n}` } })],
])('%s are listed oldest first, and newest first where that is asked for', async (_what, make) => {
  const made: number[] = []
  for (const n of [1, 2, 3]) {
    const { path, body } = make(n)
    made.push((await instance.manager.api.send('POST', path, body)).body.id)
  }
  const { path } = make(0)
  const listed = async (query: string) => {
    const { body, headers } = await instance.manager.api.get(`${path}${query}`)
    const items = Object.values<Json>(body).find(Array.isArray) ?? []
    return { ids: items.map(({ id }: Json) => id), next: /<[^>]*(\?[^>]*)>; rel=next/.exec(headers.get('link') ?? '')?.[1] }
  }
  expect((await listed('')).ids).toEqual(made)
  expect((await listed('?sort=-created_at')).ids).toEqual(made.toReversed())
  for (const [query, order] of [
    ['?per_page=2', made],
    ['?per_page=2&sort=-created_at', made.toReversed()],
  ] as const) {
    const page = await listed(query)
    expect([page.ids, (await listed(page.next ?? '')).ids]).toEqual([order.slice(0, 2), order.slice(2)])
  }
})

test('comments cannot be sorted or filtered by anything else', async () => {
  for (const query of ['sort=content', 'q[created_at_gteq]=2026-01-01'])
    expect((await instance.member.api.get(`/expenses/${ids.late}/comments?${query}`)).status).toBe(422)
})
