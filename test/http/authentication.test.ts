import { describe, expect, test } from 'vitest'
import { statement } from '#main/store/core/statement'
import { apiOf, startInstance } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { sendRaw } from '#test/support/raw-http'

const instance = await instanceOfFile({ settings: { OUTLAY_LOGIN_THROTTLE: 1000 } })

const revoke = statement<{ now: string; user_id: number }, unknown>((db, p) =>
  db
    .updateTable('api_tokens')
    .set({ revoked_at: p('now') })
    .where('user_id', '=', p('user_id')),
)
async function revokeTokens(user_id: number) {
  const actor = { user_id, origin: 'test', request_id: null, if_match: null }
  await instance.app.store.transact(actor, (tx) => tx.run(revoke, { now: tx.now, user_id }))
}
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
const anonymous = () => apiOf(instance.url, null)
/** Without the Sec-Fetch headers that fetch sends even outside a page. */
const getRaw = (lines: readonly string[]) =>
  sendRaw(instance.url, {
    line: 'GET /api/v1/expenses HTTP/1.1',
    headers: [`Host: ${new URL(instance.url).host}`, 'User-Agent: tests', ...lines],
  })

describe('without valid credentials', () => {
  test.each([
    ['none at all', {}],
    ['an unknown token', basic('nobody:')],
    ['an empty token', basic(':X')],
    ['another scheme', { authorization: 'Bearer abc' }],
    ['text that is no Base64', { authorization: 'Basic ###' }],
    ['a session that never was', { cookie: 'outlay_session=abc' }],
  ])('%s is 401 with a Basic challenge', async (_name, headers) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const { status, headers: answered, body } = await getRaw(lines)
    expect(status).toBe(401)
    expect(answered.get('www-authenticate')).toBe('Basic realm="Outlay API"')
    expect(JSON.parse(body)).toEqual({ errors: { message: 'Sign in with a valid API token.' } })
  })

  test.each([
    ['an Origin', () => ({ origin: instance.url })],
    ['Sec-Fetch metadata', () => ({ 'sec-fetch-site': 'same-origin' })],
    ['any Sec-Fetch header', () => ({ 'sec-fetch-dest': 'empty' })],
  ])('a page, recognized by %s, is not offered Basic', async (_name, headers) => {
    const extra = Object.entries(headers()).map(([name, value]) => `${name}: ${value}`)
    const { status, headers: answered } = await getRaw(extra)
    expect(status).toBe(401)
    expect(answered.get('www-authenticate')).not.toMatch(/basic/i)
  })

  test('unknown paths cannot be distinguished from known ones', async () => {
    expect((await anonymous().get('/nowhere')).status).toBe(401)
  })
})

test.each([
  ['missing', []],
  ['empty', ['User-Agent:']],
  ['blank', ['User-Agent:   ']],
])('a %s User-Agent is 403 before credentials are looked at', async (_name, agent) => {
  const headers = [`Host: ${new URL(instance.url).host}`, ...agent, `Authorization: ${basic('wrong:').authorization}`]
  const { status, body } = await sendRaw(instance.url, { line: 'GET /api/v1/expenses HTTP/1.1', headers })
  expect(status).toBe(403)
  expect(JSON.parse(body).errors.message).toBe('Every request must carry a User-Agent header.')
})

test.each(['', 'X', 'any thing:with colons'])('the password %j means nothing', async (password) => {
  const { status } = await anonymous().get('/expenses', basic(`${instance.member.token}:${password}`))
  expect(status).toBe(200)
})

test('a revoked token belongs to no one', async () => {
  const person = await instance.addUser('Rita Revoked', 'member')
  expect((await person.api.get('/expenses')).status).toBe(200)
  await revokeTokens(person.user_id)
  expect((await person.api.get('/expenses')).status).toBe(401)
})

describe('a session of a browser', () => {
  async function signIn(token: string) {
    const response = await anonymous().send('POST', '/session', { token })
    const cookie = response.headers.get('set-cookie') ?? ''
    return { ...response, cookie, session: { cookie: cookie.split(';')[0] ?? '' } }
  }

  test('starts with a token, in a cookie that no script and no other site can use', async () => {
    const { status, body, cookie, session } = await signIn(instance.member.token)
    expect(status).toBe(201)
    expect(body.user.id).toBe(instance.member.user_id)
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Strict/)
    expect(cookie).toMatch(/Path=\//)
    const shown = await anonymous().get('/session', session)
    expect(shown.body).toMatchObject({ way: 'session', memberships: [{ role: 'member' }] })
  })

  test('ends when signed out, for good', async () => {
    const { session } = await signIn(instance.member.token)
    const out = await anonymous().send('DELETE', '/session', undefined, session)
    expect(out.status).toBe(204)
    expect(out.headers.get('set-cookie')).toMatch(/^outlay_session=;.*Max-Age=0/)
    expect((await anonymous().get('/session', session)).status).toBe(401)
  })

  test('dies with the token that it was made from', async () => {
    const person = await instance.addUser('Dora Dead', 'member')
    const { session } = await signIn(person.token)
    expect((await anonymous().get('/session', session)).status).toBe(200)
    await revokeTokens(person.user_id)
    expect((await anonymous().get('/session', session)).status).toBe(401)
  })

  test('is not to be had with a wrong token, nor handed to another by a repeated Idempotency-Key', async () => {
    const refused = await signIn('wrong')
    expect(refused.status).toBe(422)
    expect(refused.cookie).toBe('')
    const key = { 'idempotency-key': 'sign-in' }
    const first = await anonymous().send('POST', '/session', { token: instance.member.token }, key)
    const second = await anonymous().send('POST', '/session', { token: instance.member.token }, key)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.headers.get('set-cookie')).not.toBe(first.headers.get('set-cookie'))
  })
})

test('failed sign-ins of one source are throttled, with Retry-After; from a loopback address never below 100 a minute', async () => {
  const throttled = await startInstance({ settings: { OUTLAY_LOGIN_THROTTLE: 3 } })
  try {
    const wrong = apiOf(throttled.url, 'wrong')
    for (let tries = 0; tries < 100; tries += 1) expect((await wrong.get('/expenses')).status).toBe(401)
    const refused = await wrong.get('/expenses')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const signIn = await apiOf(throttled.url, null).send('POST', '/session', { token: 'wrong' })
    expect(signIn.status).toBe(429)
    expect(signIn.headers.get('retry-after')).toBe('60')
    expect((await throttled.admin.api.get('/expenses')).status).toBe(200)
  } finally {
    await throttled.remove()
  }
})
