import { expect, test } from 'vitest'
import { expectContract } from '#test/support/contract'
import { apiOf } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()

/** Everything that is kept for repeats, as one text. */
async function keptResponses(): Promise<string> {
  return JSON.stringify(await instance.app.store.reader.db.selectFrom('idempotency_keys').selectAll().execute())
}

test('a new token is in one response: a repeat has null for it, and it is stored nowhere', async () => {
  const create = () => instance.member.api.send('POST', '/user/tokens', { description: 'Phone' }, { 'idempotency-key': 'token-1' })
  const first = await create()
  const second = await create()
  expect(first.status).toBe(201)
  expect(first.body.token).toEqual(expect.any(String))
  expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  expect(second.body).toEqual({ ...first.body, token: null })
  expectContract('POST', '/user/tokens', second)
  expect(await keptResponses()).not.toContain(first.body.token)
})

test.each([true, false])('a token made in a batch (atomic: %s) is stored nowhere either', async (atomic) => {
  const batch = { atomic, operations: [{ method: 'POST', path: '/user/tokens', body: { description: 'Batch' } }] }
  const run = () => instance.member.api.send('POST', '/batch', batch, { 'idempotency-key': `batch-${atomic}` })
  const [first, second] = [await run(), await run()]
  const [{ body: made }] = first.body.results
  expect((await apiOf(instance.url, made.token).get('/preferences')).status).toBe(200)
  expect(second.body.results).toEqual([{ status: 201, body: { ...made, token: null } }])
  expect(await keptResponses()).not.toContain(made.token)
})

test('no cookie is kept for repeats', async () => {
  const signedIn = await apiOf(instance.url, null).send('POST', '/session', { token: instance.member.token })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const browser = apiOf(instance.url, null)
  const out = await browser.send('DELETE', '/session', undefined, { cookie, 'idempotency-key': 'out' })
  expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')])
  expect(await keptResponses()).not.toContain('outlay_session')
})
