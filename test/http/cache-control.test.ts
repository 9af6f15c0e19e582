import { expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { recordExpense } from '#test/support/expenses'

const kept = 'private, max-age=0, must-revalidate'
const instance = await instanceOfFile()
const expense = `/expenses/${(await recordExpense(instance, instance.member)).id}`

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const response = await instance.member.api.get(path, headers)
  return { status: response.status, headers: response.headers, cached: response.headers.get('cache-control') }
}

test('a client with a token may keep what it reads, and asks whether it still holds', async () => {
  for (const path of [expense, '/expenses', '/preferences', '/locales', '/expenses/99999']) expect((await ask(path)).cached).toBe(kept)
  const etag = (await ask(expense)).headers.get('etag') ?? ''
  expect(await ask(expense, { 'if-none-match': etag })).toMatchObject({ status: 304, cached: kept })
  await instance.member.api.send('PATCH', expense, { description: 'Changed' })
  expect((await ask(expense, { 'if-none-match': etag })).status).toBe(200)
})

test('a response names the headers that it depends on', async () => {
  for (const path of [expense, '/session', '/nowhere'])
    expect((await ask(path)).headers.get('vary')).toContain('accept-language, authorization, cookie')
})

test.each(['/session', '/user/tokens', '/devices', '/uploads/new', '/sync/changes?cursor=x'])('nothing keeps %s', async (path) => {
  expect((await ask(path)).cached).toBe('no-store')
})

test('responses to browser sessions, and to people who are not signed in, are not cached', async () => {
  const signed = await instance.member.api.send('POST', '/session', { token: instance.member.token })
  const cookie = signed.headers.get('set-cookie')?.split(';')[0] ?? ''
  const bare = { 'user-agent': 'tests', accept: 'application/json' }
  const seen = await fetch(`${instance.url}/api/v1${expense}`, { headers: { ...bare, cookie } })
  expect([seen.status, seen.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const refused = await fetch(`${instance.url}/api/v1${expense}`, { headers: bare })
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([401, 'no-store'])
})
