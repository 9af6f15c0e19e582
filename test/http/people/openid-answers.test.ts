import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { type Lies, startLiar } from '#test/support/doors/openid-liar'
import { apiOf, startInstance } from '#test/support/instance'

const descriptionKeptMs = 60 * 60_000
let laterMs = 0
const logged: string[] = []
/** Nobody waits for a provider that never responds; others have the usual time. */
const settings = ({ silentAt }: Lies = {}) => ({
  ...liar.settings,
  OUTLAY_LOGIN_THROTTLE: 1000,
  ...(silentAt && { OUTLAY_OPENID_TIMEOUT_MS: 1000 }),
})
const liar = await startLiar()
const clock = {
  ...systemClock,
  now: () => new Date(systemClock.now().getTime() + laterMs),
  monotonicMs: () => systemClock.monotonicMs() + laterMs,
}
const instance = await startInstance({ clock, settings: settings() })
const impatient = await startInstance({ clock, settings: settings({ silentAt: [] }) })
beforeEach(() => liar.lie({}))
afterAll(async () => {
  await Promise.all([instance.remove(), impatient.remove()])
  await liar.close()
})

const claims = { sub: 'mel', email: 'mel.member@example.org', email_verified: true, name: 'Mel Member' }
const signIn = (answer?: Record<string, string>) => liar.signIn(instance.url, claims, answer)
const sessionCount = async () => (await instance.app.store.reader.db.selectFrom('sessions').selectAll().execute()).length

test('without lies the raw provider signs in', async () => {
  const { status, body } = await signIn()
  expect([status, body.user?.id]).toEqual([201, instance.member.user_id])
})

const tokens: ReadonlyArray<readonly [what: string, lies: Lies]> = [
  ['for another client', { claims: { aud: 'another' } }],
  ['of another issuer', { claims: { iss: 'https://evil.example' } }],
  ['with another nonce', { claims: { nonce: 'another' } }],
  ['without a nonce', { claims: { nonce: undefined } }],
  ['that has expired', { claims: { exp: Math.floor(Date.now() / 1000) - 60 } }],
  ['without a subject', { claims: { sub: undefined } }],
  ['signed with a key that the provider does not publish', { isForeignKey: true }],
  ['that is not signed', { header: { alg: 'none' }, isUnsigned: true }],
  ['that says it is signed with the client secret', { header: { alg: 'HS256' } }],
]
test.each(tokens)('an ID token %s signs nobody in', async (_what, lies) => {
  const before = await sessionCount()
  liar.lie(lies)
  const { status, body } = await signIn()
  expect([status, body.errors.message]).toEqual([422, expect.stringMatching(/^Could not check the response of Acme ID/)])
  expect(await sessionCount()).toBe(before)
})

test.each([
  ['another state', { state: 'another' }, /began in another browser/],
  ['no state', { state: '' }, /began in another browser/],
  ['another issuer', { iss: 'https://evil.example' }, /^Could not check/],
  ['no code', { code: '' }, /^Could not check/],
  ['a refusal', { error: 'access_denied' }, /^Acme ID did not sign you in/],
])('an answer with %s signs nobody in', async (_what, answer, message) => {
  const { status, body } = await signIn(answer)
  expect([status, body.errors.message]).toEqual([422, expect.stringMatching(message)])
})

test('only the browser that began ends it, once, within ten minutes', async () => {
  const begin = () => liar.begin(instance.url, claims)
  const over = { errors: { message: expect.stringMatching(/began in another browser/) } }
  const [mine, theirs, ours] = [await begin(), await begin(), await begin()]
  expect((await mine.end('')).body).toEqual(over)
  expect((await ours.end(theirs.cookie)).body).toEqual(over)
  // They are used up by now, also for the browsers that began them.
  for (const { end } of [mine, ours]) expect((await end()).body).toEqual(over)
  laterMs += 10 * 60_000
  expect((await theirs.end()).body).toEqual(over)
})

test('sixteen ends of one sign-in at once begin one session', async () => {
  const { end } = await liar.begin(instance.url, claims)
  const statuses = (await Promise.all(Array.from({ length: 16 }, () => end()))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
})

const faults: ReadonlyArray<readonly [what: string, lies: Lies, says: RegExp]> = [
  ['never responds', { silentAt: ['/token'] }, /^Acme ID does not respond/],
  ['never responds with its keys', { silentAt: ['/jwks'] }, /^Acme ID does not respond/],
  ['fails', { token: { status: 503, body: '' } }, /^Acme ID does not respond/],
  ['responds without an end', { isEndless: true }, /^Acme ID does not respond/],
  ['refuses the code', { token: { status: 400, body: '{"error":"invalid_grant"}' } }, /^Could not check/],
  ['responds with a page', { token: { status: 200, body: '<html>' } }, /^Could not check/],
]
test.each(faults)('where the provider %s, nobody signs in, and the next one does', async (_what, lies, says) => {
  const { url } = lies.silentAt ? impatient : instance
  liar.lie(lies)
  expect((await liar.signIn(url, claims)).body.errors.message).toMatch(says)
  liar.lie({})
  expect((await liar.signIn(url, claims)).status).toBe(201)
})

const descriptions: ReadonlyArray<readonly [what: string, lies: Lies, says: RegExp]> = [
  ['never comes', { silentAt: ['/.well-known/openid-configuration'] }, /^Acme ID does not respond/],
  ['names another issuer', { metadata: { issuer: 'https://evil.example' } }, /^Could not check/],
  ['signs in by a script', { metadata: { authorization_endpoint: 'javascript:alert(1)' } }, /^Could not check/],
  ['signs in in the clear', { metadata: { authorization_endpoint: 'http://evil.example/authorize' } }, /^Could not check/],
]
test.each(descriptions)('a provider whose description %s signs nobody in, and is asked again', async (_what, lies, says) => {
  const { url } = lies.silentAt ? impatient : instance
  laterMs += descriptionKeptMs
  liar.lie(lies)
  expect((await liar.signIn(url, claims)).body.errors.message).toMatch(says)
  liar.lie({})
  expect((await liar.signIn(url, claims)).status).toBe(201)
})

test('a server starts while the provider is away, and says so to who signs in', async () => {
  const gone = await startLiar()
  await gone.close()
  const other = await startInstance({ settings: gone.settings })
  expect((await other.admin.api.get('/setup')).body.openid).toEqual({ name: 'Acme ID', origin: other.url })
  expect((await liar.signIn(other.url, claims)).body.errors.message).toMatch(/^Acme ID does not respond/)
  await other.remove()
})

test('nothing is sent in the clear to another address, and no redirect is followed', async () => {
  let requests = 0
  const elsewhere = createServer((_request, response) => {
    requests += 1
    response.writeHead(404).end()
  })
  // As others see it: not an address by which a provider on this computer is named.
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.2', resolve))
  const address = `http://127.0.0.2:${String((elsewhere.address() as AddressInfo).port)}/token`
  const { email: _email, ...nameless } = claims
  for (const metadata of [{ token_endpoint: address }, { jwks_uri: address }, { userinfo_endpoint: address }]) {
    laterMs += descriptionKeptMs
    liar.lie({ metadata })
    expect((await liar.signIn(instance.url, nameless)).body.errors.message).toMatch(/^Could not check/)
  }
  liar.lie({ redirectTo: address })
  expect((await signIn()).body.errors.message).toMatch(/^Could not check/)
  expect(requests).toBe(0)
  elsewhere.close()
})

test('neither the client secret nor what a provider says is in the log, and why it was refused is', async () => {
  const log = { level: 'info', write: (line: string) => void logged.push(line) }
  const { pino } = await import('pino')
  const other = await startInstance({ settings: settings(), log: pino({ level: 'debug' }, log) })
  liar.lie({ claims: { nonce: 'another' } })
  await liar.signIn(other.url, claims)
  await other.remove()
  const text = logged.join('')
  expect(text).toMatch(/unexpected JWT claim value/)
  for (const secret of [liar.settings.OUTLAY_OPENID_CLIENT_SECRET, 'mel.member', 'eyJ']) expect(text).not.toContain(secret)
})

test('requests to begin count as attempts of their network address', async () => {
  const other = await startInstance({ settings: liar.settings })
  const api = apiOf(other.url, null)
  // A loopback address has a hundred.
  for (let count = 0; count < 100; count += 1) await api.send('POST', '/session/openid/begin')
  expect((await api.send('POST', '/session/openid/begin')).status).toBe(429)
  await other.remove()
})
