import { expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { checked } from '#test/support/contract'
import { type Json, apiOf } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

let now = new Date('2026-05-01T12:00:00Z')
const instance = await instanceOfFile({ clock: { ...systemClock, now: () => now } })

const tokens = '/user/tokens'
const inAnHour = '2026-05-01T13:00:00Z'

async function makeToken(values: object): Promise<Json> {
  const { status, body } = await checked(instance.member.api).send('POST', tokens, { description: 'Script', ...values })
  expect([status, body.errors]).toEqual([201, undefined])
  return body
}

test('a token has scopes, in their order, and an end; without them it is as it was', async () => {
  const made = await makeToken({ scopes: ['write', 'read', 'write'], expires_at: inAnHour })
  expect(made).toMatchObject({ scopes: ['read', 'write'], expires_at: inAnHour })
  expect(await makeToken({})).toMatchObject({ scopes: null, expires_at: null })
})

test.each([
  [{ scopes: [] }, { scopes: ["can't be blank"] }],
  [{ scopes: ['everything'] }, { scopes: ['is not included in the list'] }],
  [{ expires_at: '2026-05-01T11:59:59Z' }, { expires_at: ['is in the past'] }],
  [{ expires_at: 'soon' }, { expires_at: ['is invalid'] }],
])('%o is refused', async (values, errors) => {
  const { status, body } = await instance.member.api.send('POST', tokens, { description: 'Script', ...values })
  expect([status, body]).toEqual([422, { errors }])
})

test('a token with scopes makes none that may do more or lives longer', async () => {
  const { token } = await makeToken({ scopes: ['read', 'admin'], expires_at: inAnHour })
  const api = apiOf(instance.url, token)
  const make = async (values: object) => (await api.send('POST', tokens, { description: 'More', ...values })).body
  expect(await make({})).toEqual({ errors: { scopes: ['is more than the token that asks for it has'] } })
  expect(await make({ scopes: ['pay'], expires_at: inAnHour })).toMatchObject({ errors: { scopes: expect.anything() } })
  expect(await make({ scopes: ['read'] })).toMatchObject({ errors: { expires_at: expect.anything() } })
  expect(await make({ scopes: ['read'], expires_at: inAnHour })).toMatchObject({ scopes: ['read'] })
})

test('a token that ends makes none that lives longer, nor does a session that it began; other sessions do', async () => {
  now = new Date('2026-05-01T12:00:00Z')
  const { token } = await makeToken({ expires_at: inAnHour })
  const make = async (from: string | null, values: object, headers = {}) =>
    (await apiOf(instance.url, from).send('POST', tokens, { description: 'Later', ...values }, headers)).status
  expect(await make(token, {})).toBe(422)
  expect(await make(token, { expires_at: '2026-05-01T13:00:01Z' })).toBe(422)
  expect(await make(token, { expires_at: inAnHour })).toBe(201)
  const sessionOf = async (of: string) => {
    const { headers } = await apiOf(instance.url, null).send('POST', '/session', { token: of })
    return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  expect(await make(null, {}, await sessionOf(token))).toBe(422)
  expect(await make(null, {}, await sessionOf(instance.member.token))).toBe(201)
})

test('a session has the scopes and the end of the token that began it', async () => {
  now = new Date('2026-05-01T12:00:00Z')
  const { token } = await makeToken({ scopes: ['read'], expires_at: inAnHour })
  const browser = apiOf(instance.url, null)
  const signIn = await browser.send('POST', '/session', { token })
  const headers = { cookie: signIn.headers.get('set-cookie')?.split(';')[0] ?? '' }
  expect((await browser.get('/session', headers)).status).toBe(200)
  const refused = await browser.send('PATCH', '/preferences', { timezone: 'Etc/UTC' }, headers)
  expect([refused.status, refused.body.errors.message]).toEqual([403, 'This API token may not do this: it needs the scope “write”.'])
  now = new Date('2026-05-01T13:00:00Z')
  expect((await browser.get('/session', headers)).status).toBe(401)
  expect((await browser.send('POST', '/session', { token })).status).toBe(422)
})

test('a token that has ended opens nothing, and its event streams end without a commit', async () => {
  now = new Date('2026-05-01T12:00:00Z')
  const { token } = await makeToken({ scopes: ['read'], expires_at: inAnHour })
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  const listen = async (path: string) => {
    const response = await fetch(`${instance.url}/api/v1${path}`, { headers: { authorization, 'user-agent': 'tests' } })
    expect(response.status).toBe(200)
    return response.text()
  }
  const streams = [listen('/events'), listen('/sync/pokes')]
  expect((await apiOf(instance.url, token).get('/session')).status).toBe(200)
  now = new Date('2026-05-01T13:00:00Z')
  // They resolve when the server ends them.
  expect(await Promise.all(streams)).toEqual([expect.stringContaining('ready'), expect.stringContaining('poke')])
  expect((await apiOf(instance.url, token).get('/session')).status).toBe(401)
})

test('a token that may only read sends no file', async () => {
  const { token } = await makeToken({ scopes: ['read'] })
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  const response = await fetch(`${instance.url}/api/v1/sync/blobs/${'a'.repeat(64)}?file_name=a.pdf&content_type=application/pdf`, {
    method: 'PUT',
    headers: { authorization, 'user-agent': 'tests', 'content-type': 'application/octet-stream', 'upload-length': '1' },
    body: 'a',
  })
  expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('“write”')])
})

test('a person sees where they are signed in, and signs out one browser or all others', async () => {
  const person = await instance.addUser('Sam Sessions', 'member')
  const browser = apiOf(instance.url, null)
  const open = async (agent: string) => {
    const { headers } = await browser.send('POST', '/session', { token: person.token }, { 'user-agent': agent })
    return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  const [laptop, phone, library] = [await open('Laptop'), await open('Phone'), await open('Library')]
  const api = checked(browser)
  const list = async () => (await api.get('/user/sessions', laptop)).body.sessions
  const shown = await list()
  expect(shown.map(({ user_agent, door, current }: Json) => [user_agent, door, current]).toSorted()).toEqual([
    ['Laptop', 'token', true],
    ['Library', 'token', false],
    ['Phone', 'token', false],
  ])
  const other = shown.find(({ user_agent }: Json) => user_agent === 'Library')
  expect((await instance.member.api.send('DELETE', `/user/sessions/${other.id}`)).status).toBe(404)
  expect((await api.send('DELETE', `/user/sessions/${other.id}`, undefined, laptop)).status).toBe(204)
  expect((await browser.get('/session', library)).status).toBe(401)
  const stream = await fetch(`${instance.url}/api/v1/events`, { headers: { ...phone, 'user-agent': 'tests' } })
  expect((await api.send('DELETE', '/user/sessions', undefined, laptop)).status).toBe(204)
  expect(await stream.text()).toContain('ready')
  expect((await browser.get('/session', phone)).status).toBe(401)
  expect(await list()).toHaveLength(1)
})
