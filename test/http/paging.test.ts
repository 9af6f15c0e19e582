import { describe, expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { expectContract } from '#test/support/contract'
import { recordExpense } from '#test/support/expenses'
import { getWithBody } from '#test/support/raw-http'

const instance = await instanceOfFile()
const ids: number[] = []
for (let count = 0; count < 35; count += 1) ids.push((await recordExpense(instance, instance.member, { tags: [`t${count}`] })).id)

const list = (query: string) => instance.manager.api.get(`/expenses${query}`)
const idsOf = (body: { expenses: Array<{ id: number }> }) => body.expenses.map(({ id }) => id)

test('a page has 30 rows, the newest first, in the contract’s frame', async () => {
  const response = await list('')
  expectContract('GET', '/expenses', response)
  expect(response.body).toMatchObject({ count: 35, current_page: 1, total_pages: 2 })
  expect(idsOf(response.body)).toEqual(ids.toReversed().slice(0, 30))
})

test('per_page above 100 means 100', async () => {
  const { body, headers } = await list('?per_page=1000')
  expect(body).toMatchObject({ count: 35, total_pages: 1 })
  expect(headers.get('link')).toBeNull()
})

test.each(['page=0', 'page=-1', 'page=x', 'page=1.5', 'page=', 'page=99999999999999999999', 'page[]=1'])('%s is 422', async (query) => {
  const { status, body } = await list(`?${query}`)
  expect(status).toBe(422)
  expect(body).toEqual({ errors: { page: ['is invalid'] } })
})

test.each(['per_page=0', 'per_page=-5', 'per_page=many'])('%s is 422', async (query) => {
  const { status, body } = await list(`?${query}`)
  expect(status).toBe(422)
  expect(body).toEqual({ errors: { per_page: ['is invalid'] } })
})

test('a page past the end is empty and still counts, however far', async () => {
  for (const page of [3, 1000, Number.MAX_SAFE_INTEGER]) {
    const { status, body } = await list(`?page=${page}`)
    expect(status).toBe(200)
    expect(body).toEqual({ count: 35, current_page: page, total_pages: 2, expenses: [] })
  }
})

test('page and per_page are accepted in the body of a GET too', async () => {
  const { body } = await getWithBody(instance.url, instance.manager, { path: '/expenses', body: { page: 2, per_page: 10 } })
  expect(body).toMatchObject({ current_page: 2, total_pages: 4 })
})

describe('the Link header', () => {
  const url = (page: number, rest = '') => `<${instance.url}/api/v1/expenses?page=${page}&per_page=10${rest}>`
  /** The header, its cursors left out: what they promise, `paging-law` tests. */
  const link = async (query: string) => (await list(query)).headers.get('link')?.replaceAll(/&after=[\w-]+/g, '') ?? null

  test('says where the next page begins, after page and per_page', async () => {
    const { headers } = await list('?per_page=10')
    const [, address, page, perPage, rel] = /<(.*?page=(\d+)&per_page=(\d+).*?)>; rel=(\w+)/.exec(headers.get('link') ?? '') ?? []
    expect([page, perPage, rel]).toEqual(['2', '10', 'next'])
    expect(address).toMatch(/\?page=2&per_page=10&after=[\w-]+$/)
  })
  test.each(['after=x', 'after=WzFd', 'after=W10', 'after=e30', 'after[]=WzFd'])('%s is 422', async (query) => {
    const { status, body } = await list(`?${query}`)
    expect([status, body]).toEqual([422, { errors: { after: ['is invalid'] } }])
  })
  test('names next and last on the first page', async () => {
    expect(await link('?per_page=10')).toBe(`${url(2)}; rel=next, ${url(4)}; rel=last`)
  })
  test('names all four in the middle', async () => {
    expect(await link('?per_page=10&page=2')).toBe(`${url(1)}; rel=first, ${url(1)}; rel=prev, ${url(3)}; rel=next, ${url(4)}; rel=last`)
  })
  test('names first and prev on the last page', async () => {
    expect(await link('?per_page=10&page=4')).toBe(`${url(1)}; rel=first, ${url(3)}; rel=prev`)
  })
  test('leads back from past the end', async () => {
    expect(await link('?per_page=10&page=9')).toBe(`${url(1)}; rel=first, ${url(4)}; rel=prev`)
  })
  test('keeps the filters and the order', async () => {
    const [first] = (await link(`?per_page=10&sort=id&q[id_gteq]=${ids[0]}`))?.split('; ') ?? []
    expect(first).toBe(url(2, `&sort=id&q%5Bid_gteq%5D=${ids[0]}`))
    const next = await fetch(first?.slice(1, -1) ?? '', {
      headers: { authorization: `Basic ${Buffer.from(`${instance.manager.token}:`).toString('base64')}` },
    })
    expect(idsOf(await next.json())).toEqual(ids.slice(10, 20))
  })
  test('is not there where there is one page, or nothing', async () => {
    expect(await link('?per_page=35')).toBeNull()
    expect(await link('?q[id_eq]=0')).toBeNull()
  })
})
