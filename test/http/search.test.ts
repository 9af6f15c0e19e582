import { expect, test } from 'vitest'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { newExpense } from '#test/support/expenses'

const instance = await instanceOfFile()

const create = async (attributes: Json): Promise<number> =>
  (await instance.member.api.send('POST', '/expenses', newExpense(instance, attributes))).body.id
const found = async (search: string): Promise<number[]> =>
  (await instance.manager.api.get(`/expenses?q[search]=${encodeURIComponent(search)}`)).body.expenses.map(({ id }: Json) => id)

const change = { kind: 'distance', distance: 3, distance_kind: 'km' }

test.each<[attribute: string, before: Json, after: Json, word: string, next: string]>([
  ['description', { description: 'Almoço' }, { description: 'Jantar' }, 'almoco', 'JANTAR'],
  ['location', { location: 'Recife' }, { location: 'Olinda' }, 'recif', 'olin'],
  ['origin', { ...change, origin: 'Santos' }, { origin: 'Niterói' }, 'santos', 'niteroi'],
  ['destination', { ...change, destination: 'Bauru' }, { destination: 'Marília' }, 'bauru', 'marilia'],
  ['amount', { amount: 31.07 }, { amount: 42.19 }, '31.07', '42.19'],
  ['currency', { currency: 'USD', amount: 5123 }, { currency: 'JPY' }, '5123.00', '5123'],
  ['tags', { tags: 'alpha, shared' }, { tags: 'beta' }, 'alpha', 'beta'],
])('an expense is found by its %s, and by the new one when that changes', async (_attribute, before, after, word, next) => {
  const id = await create(before)
  expect(await found(word)).toEqual([id])
  const { status } = await instance.member.api.send('PATCH', `/expenses/${id}`, after)
  expect(status).toBe(200)
  expect(await found(next)).toEqual([id])
  expect(await found(word)).toEqual([])
})

test('is found by whose it is, by all words at once, and no more once it is deleted', async () => {
  const id = await create({ description: 'Ferry over the river', tags: 'boats' })
  expect(await found(`mel member ferry BOATS riv`)).toEqual([id])
  expect(await found(`mel member ferry trains`)).toEqual([])
  await instance.member.api.send('DELETE', `/expenses/${id}`)
  expect(await found('ferry')).toEqual([])
})

test('more than ten words, or 200 characters, are rejected with the limits', async () => {
  const search = async (text: string) => {
    const { status, body } = await instance.manager.api.get(`/expenses?q[search]=${encodeURIComponent(text)}`)
    return { status, errors: body.errors }
  }
  const refused = { status: 422, errors: { q: ['search takes at most 10 words and 200 characters'] } }
  expect(await search(Array.from({ length: 11 }, (_, at) => `w${at}x`).join(' '))).toEqual(refused)
  expect(await search('x'.repeat(201))).toEqual(refused)
  expect((await search('taxi tax '.repeat(20))).status).toBe(200)
})

test('is found by its amount in either notation, by its number, and by its day as people write it', async () => {
  const id = await create({ description: 'Conference fee', amount: 3652.24, occurred_at: '2022-01-03' })
  const other = await create({ description: 'Conference dinner', amount: 365.22, occurred_at: '2021-03-01' })
  for (const search of ['3,652.24', '3.652,24', '3652.24', '3652,24', `#${id}`, '03/01/2022', '3/1/2022', '2022-01-03'])
    expect(await found(search), search).toEqual([id])
  for (const search of ['3 Jan', '03 jan 2022', '3 de janeiro', '3 de jan. de 2022', 'conference 3 January', '3.652', '3,652'])
    expect(await found(search), search).toEqual([id])
  for (const search of ['4 Jan', '3 Jan 2021', '3,652.25', '31/02/2022', `dinner #${id}`]) expect(await found(search), search).toEqual([])
  expect(await found(`conference #${other}`)).toEqual([other])
})

test('what only looks like a day or an amount is still searched as words', async () => {
  const id = await create({ description: 'Room 12 Janitor, chapter 7.3 and 45/67', amount: 1 })
  for (const search of ['12 janitor', '7.3', '45/67', 'chapter 7.3']) expect(await found(search), search).toEqual([id])
})
