import { expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { createAuthenticator, type Lies } from '#test/support/doors/authenticator'
import { checked } from '#test/support/contract'
import { type Person, apiOf, startInstance } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const origin = 'https://outlay.example.org'
let laterMs = 0
const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + laterMs) }
const instance = await instanceOfFile({ clock, settings: { OUTLAY_PUBLIC_URL: `${origin}/`, OUTLAY_LOGIN_THROTTLE: 1000 } })

let added = 0
async function makePerson(): Promise<Person> {
  added += 1
  return instance.addUser(`Person ${added}`, 'member')
}

const browser = () => checked(apiOf(instance.url, null))
const optionsToAdd = async ({ api }: Person) => (await checked(api).send('POST', '/user/passkeys/challenge')).body
const optionsToSignIn = async () => (await browser().send('POST', '/session/passkey/challenge')).body
const signInWith = (passkey: object) => browser().send('POST', '/session/passkey', { passkey })
const add = ({ api }: Person, passkey: object, name = 'Laptop') => checked(api).send('POST', '/user/passkeys', { name, passkey })

/** A person with a passkey, and the authenticator that holds it. */
async function withPasskey() {
  const person = await makePerson()
  const authenticator = createAuthenticator(origin)
  const { status } = await add(person, authenticator.create(await optionsToAdd(person)))
  expect(status).toBe(201)
  const signIn = async (lies?: Lies) => signInWith(authenticator.get(await optionsToSignIn(), lies))
  return { ...person, authenticator, signIn }
}

const eventsOf = async (user_id: number) => {
  const rows = instance.app.store.reader.db.selectFrom('activities').select(['event', 'user_id']).where('subject_id', '=', user_id)
  return (await rows.where('event', 'like', '%passkey%').orderBy('id').execute()).map(({ event }) => event)
}

test('a passkey is added, listed, signs in, and is removed, and the trail has it', async () => {
  const { api, user_id, signIn } = await withPasskey()
  expect((await api.get('/user/passkeys')).body).toMatchObject({
    origin,
    passkeys: [{ name: 'Laptop', last_used_at: null, cloned_at: null }],
  })
  const { status, headers, body } = await signIn()
  expect([status, body.user.id]).toEqual([201, user_id])
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  expect((await browser().get('/user/sessions', { cookie })).body.sessions).toMatchObject([{ door: 'passkey', current: true }])
  expect((await signIn()).status).toBe(201)
  const [passkey] = (await api.get('/user/passkeys')).body.passkeys
  expect(passkey.last_used_at).not.toBeNull()
  expect((await api.send('DELETE', `/user/passkeys/${passkey.id}`)).status).toBe(204)
  expect((await signIn()).body).toEqual({ errors: { passkey: ['is invalid'] } })
  expect(await eventsOf(user_id)).toEqual(['passkey_created', 'signed_in_by_passkey', 'signed_in_by_passkey', 'passkey_removed'])
})

test('a challenge is answered once, also where the first answer was refused, and not after five minutes', async () => {
  const { authenticator } = await withPasskey()
  const used = authenticator.get(await optionsToSignIn())
  expect((await signInWith(used)).status).toBe(201)
  expect((await signInWith(used)).body).toEqual({ errors: { passkey: ['is not valid any more'] } })
  const wasted = await optionsToSignIn()
  expect((await signInWith(authenticator.get(wasted, { origin: 'https://evil.example' }))).status).toBe(422)
  expect((await signInWith(authenticator.get(wasted))).body).toEqual({ errors: { passkey: ['is not valid any more'] } })
  const late = await optionsToSignIn()
  laterMs += 5 * 60_000
  expect((await signInWith(authenticator.get(late))).status).toBe(422)
})

test('a passkey that is sent twice under one key is added once, though its challenge is used up', async () => {
  const person = await makePerson()
  const passkey = createAuthenticator(origin).create(await optionsToAdd(person))
  const send = () => checked(person.api).send('POST', '/user/passkeys', { name: 'Laptop', passkey }, { 'idempotency-key': 'laptop' })
  const [first, second] = [await send(), await send()]
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  expect((await person.api.get('/user/passkeys')).body.passkeys).toHaveLength(1)
})

test('sixteen answers to one challenge at once begin one session', async () => {
  const { authenticator } = await withPasskey()
  const options = await optionsToSignIn()
  const statuses = await Promise.all(Array.from({ length: 16 }, async () => (await signInWith(authenticator.get(options))).status))
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
})

const lies: ReadonlyArray<readonly [what: string, lies: Lies]> = [
  ['from another origin', { origin: 'https://evil.example' }],
  ['for another host name', { rp_id: 'example.org' }],
  ['without verifying the person', { isVerified: false }],
]
test.each(lies)('what was signed %s signs nobody in', async (_what, lie) => {
  const { signIn } = await withPasskey()
  expect((await signIn(lie)).body).toEqual({ errors: { passkey: ['is invalid'] } })
  expect((await signIn()).status).toBe(201)
})

test.each(lies)('a passkey that was made %s is not added', async (_what, lie) => {
  const person = await makePerson()
  const { body } = await add(person, createAuthenticator(origin).create(await optionsToAdd(person), lie))
  expect(body).toEqual({ errors: { passkey: ['is invalid'] } })
  expect((await person.api.get('/user/passkeys')).body.passkeys).toEqual([])
})

test('what the key of another signed, or one that nobody added, signs nobody in', async () => {
  const [mine, theirs] = [await withPasskey(), await withPasskey()]
  const options = await optionsToSignIn()
  const [own, foreign] = [mine.authenticator.get(options), theirs.authenticator.get(options)]
  expect((await signInWith({ ...foreign, id: own.id, rawId: own.rawId })).status).toBe(422)
  expect((await signInWith(createAuthenticator(origin).get(await optionsToSignIn()))).status).toBe(422)
})

test('a challenge belongs to who asked for it, and to adding or to signing in', async () => {
  const [person, other] = [await withPasskey(), await makePerson()]
  const authenticator = createAuthenticator(origin)
  expect((await add(other, authenticator.create(await optionsToAdd(person)))).status).toBe(422)
  const toAdd = await optionsToAdd(person)
  expect((await signInWith(person.authenticator.get({ challenge: toAdd.challenge, rpId: toAdd.rp.id }))).status).toBe(422)
})

test('a passkey is added once, by one person', async () => {
  const [person, other] = [await makePerson(), await makePerson()]
  const authenticator = createAuthenticator(origin)
  expect((await add(person, authenticator.create(await optionsToAdd(person)))).status).toBe(201)
  expect((await optionsToAdd(person)).excludeCredentials).toHaveLength(1)
  expect((await add(other, authenticator.create(await optionsToAdd(other)))).body).toEqual({
    errors: { passkey: ['has already been taken'] },
  })
})

test('a count that does not grow shows a copy: the passkey signs in nobody from then on', async () => {
  const { api, user_id, signIn } = await withPasskey()
  expect((await signIn({ counter: 7 })).status).toBe(201)
  const refused = await signIn({ counter: 7 })
  expect([refused.status, refused.body.errors.message]).toEqual([422, expect.stringContaining('may have been copied')])
  expect((await signIn({ counter: 9 })).status).toBe(422)
  expect((await api.get('/user/passkeys')).body.passkeys[0].cloned_at).not.toBeNull()
  expect(await eventsOf(user_id)).toEqual(['passkey_created', 'signed_in_by_passkey', 'passkey_cloned'])
})

test('an authenticator that does not count signs in again and again', async () => {
  const { signIn } = await withPasskey()
  for (let times = 0; times < 3; times += 1) expect((await signIn({ counter: 0 })).status).toBe(201)
})

test('a token with scopes or an end adds no passkey', async () => {
  const { api } = await makePerson()
  for (const limit of [{ scopes: ['admin'] }, { expires_at: '2099-01-01T00:00:00Z' }]) {
    const { token } = (await api.send('POST', '/user/tokens', { description: 'limited', ...limit })).body
    const { status, body } = await apiOf(instance.url, token).send('POST', '/user/passkeys/challenge')
    expect([status, body.errors.message]).toEqual([403, expect.stringContaining('scopes or an end')])
  }
})

test('without an https address or localhost nobody has passkeys, and the response says why', async () => {
  for (const settings of [{}, { OUTLAY_PUBLIC_URL: 'http://outlay.example.org' }, { OUTLAY_PUBLIC_URL: 'https://192.0.2.7' }]) {
    const other = await startInstance({ settings })
    expect((await other.admin.api.get('/user/passkeys')).body.origin).toBeNull()
    expect((await other.admin.api.get('/setup')).body.passkey_origin).toBeNull()
    const { status, body } = await other.admin.api.send('POST', '/user/passkeys/challenge')
    expect([status, body.errors.message]).toEqual([422, expect.stringContaining('OUTLAY_PUBLIC_URL')])
    await other.remove()
  }
})

test('each request for a challenge counts as an attempt of its network address', async () => {
  const other = await startInstance({ settings: { OUTLAY_PUBLIC_URL: origin } })
  // A loopback address has a hundred.
  for (let count = 0; count < 100; count += 1) await apiOf(other.url, null).send('POST', '/session/passkey/challenge')
  expect((await apiOf(other.url, null).send('POST', '/session/passkey/challenge')).status).toBe(429)
  await other.remove()
})
