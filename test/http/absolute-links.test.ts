import { expect, test } from 'vitest'
import { recordExpense } from '#test/support/expenses'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()
const id: number = (await recordExpense(instance, instance.member)).id

const localhost = () => instance.url.replace('127.0.0.1', 'localhost')
async function as(base: string, path: string, init: { method?: string; body?: Json; headers?: Record<string, string> } = {}) {
  const { method = 'GET', body, headers } = init
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${instance.member.token}:`).toString('base64')}`,
      'user-agent': 'tests',
      'content-type': 'application/json',
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return { etag: response.headers.get('etag'), body: await response.json(), link: response.headers.get('link') }
}
const selfOf = ({ _links }: Json): string => _links.find(({ rel }: Json) => rel === 'self').href

test('links are absolute, by the name that the caller reached the server by; the ETag does not depend on it', async () => {
  const [one, other] = [await as(instance.url, `/expenses/${id}`), await as(localhost(), `/expenses/${id}`)]
  expect(selfOf(one.body)).toBe(`${instance.url}/api/v1/expenses/${id}`)
  expect(selfOf(other.body)).toBe(`${localhost()}/api/v1/expenses/${id}`)
  expect(other.etag).toBe(one.etag)
  expect((await as(instance.url, selfOf(other.body).replace(/^.*\/api\/v1/, ''))).body.id).toBe(id)
})

test('a repeat under an idempotency key names the base of who repeats, in a batch too', async () => {
  const asked = (key: string) => ({
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: { payer_id: instance.organization_id, amount: 3, occurred_at: '2026-01-02' },
  })
  await as(instance.url, '/expenses', asked('one'))
  expect(selfOf((await as(localhost(), '/expenses', asked('one'))).body)).toMatch(new RegExp(`^${localhost()}/api/v1/expenses/`))
  const operations = [{ method: 'PATCH', path: `/expenses/${id}`, body: { description: 'Bus' } }]
  const { body } = await as(localhost(), '/batch', { method: 'POST', body: { operations } })
  expect(selfOf(body.results[0].body)).toBe(`${localhost()}/api/v1/expenses/${id}`)
})

test('what an integration stored is never rewritten', async () => {
  const extra_information = { _links: [{ rel: 'ride', href: '/rides/7' }] }
  const { body } = await as(instance.url, '/pre_expenses', { method: 'POST', body: { description: 'Ride', extra_information } })
  expect(body.extra_information).toEqual(extra_information)
  expect(selfOf(body)).toBe(`${instance.url}/api/v1/pre_expenses/${body.id}`)
})
