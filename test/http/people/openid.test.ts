import { afterAll, expect, test } from 'vitest'
import { TestBrowser } from '#test/support/doors/openid-browser'
import { startProvider } from '#test/support/doors/openid-provider'
import { checked } from '#test/support/contract'
import { apiOf, startInstance } from '#test/support/instance'
import { sendRaw } from '#test/support/raw-http'
import { startReplica } from '#test/support/sync/replica'

const provider = await startProvider()
const instance = await startInstance({ settings: { ...provider.settings, OUTLAY_LOGIN_THROTTLE: 1000 } })
provider.open([`${instance.url}/sign-in/openid`])
afterAll(async () => {
  await instance.remove()
  await provider.close()
})

const back = () => `${instance.url}/sign-in/openid`

/** The answer to a sign-in with an account, in a new browser or one that knows the provider. */
async function signIn(account: string, { url = instance.url, browser = new TestBrowser() } = {}) {
  return browser.end(url, await browser.follow(await browser.begin(url), { until: back(), account }))
}

test('a person signs in at a real provider, and the session is listed, in the trail and revocable', async () => {
  const { user_id } = await instance.addUser('Bea Costa', 'member')
  provider.accounts.set('bea', { email: 'bea.costa@example.org', email_verified: true, name: 'Bea Costa' })
  const browser = new TestBrowser()
  const returned = await browser.follow(await browser.begin(instance.url), { until: back(), account: 'bea' })
  const { status, body, headers } = await browser.end(instance.url, returned)
  expect([status, body.user?.id]).toEqual([201, user_id])
  expect(headers.get('set-cookie')).toContain('HttpOnly; SameSite=Strict')
  const signedIn = { cookie: browser.cookiesFor(instance.url) }
  const { sessions } = (await checked(apiOf(instance.url, null)).get('/user/sessions', signedIn)).body
  expect(sessions).toMatchObject([{ door: 'openid', current: true }])
  const trail = instance.app.store.reader.db.selectFrom('activities').select(['event', 'user_id', 'subject_id'])
  expect(await trail.where('event', 'like', '%openid%').orderBy('id').execute()).toEqual([
    { event: 'openid_linked', user_id, subject_id: user_id },
    { event: 'signed_in_by_openid', user_id, subject_id: user_id },
  ])
  expect((await browser.end(instance.url, returned)).body.errors.message).toMatch(/was used already/)
})

test('a person whose only way in is the provider connects a device with a token that they make in the browser', async () => {
  const { user_id } = await instance.addUser('Only Openid', 'member')
  await instance.app.store.transact({ user_id, origin: 'test', request_id: null, if_match: null }, (tx) =>
    tx.write('DELETE FROM api_tokens WHERE user_id = ?', [user_id]),
  )
  provider.accounts.set('only', { email: 'only.openid@example.org', email_verified: true })
  const browser = new TestBrowser()
  await signIn('only', { browser })
  const made = await browser.send(instance.url, '/user/tokens', { description: 'Laptop' })
  expect(made.status).toBe(201)
  const replica = await startReplica(instance.url, { token: made.body.token })
  try {
    expect(await replica.sync()).toMatchObject({ ended: 'synced', error: null })
    expect((await replica.api.get('/session')).body.user.id).toBe(user_id)
  } finally {
    await replica.remove()
  }
})

test('the keys of the provider may change at any time', async () => {
  const { user_id } = await instance.addUser('Key Keeper', 'member')
  provider.accounts.set('key', { email: 'key.keeper@example.org', email_verified: true })
  for (const _keys of [1, 2, 3]) {
    expect((await signIn('key')).body.user?.id).toBe(user_id)
    provider.open([back()])
  }
})

test('a person who cancels at the provider is not signed in, and reads why', async () => {
  expect((await signIn('cancel')).body.errors.message).toBe('Acme ID did not sign you in. Begin again, or sign in another way.')
})

test('a code is worth nothing without the secret of the browser that began, also at the provider', async () => {
  const [mine, theirs] = [new TestBrowser(), new TestBrowser()]
  provider.accounts.set('eve', { email: 'ada.admin@example.org', email_verified: true })
  const returned = await theirs.follow(await theirs.begin(instance.url), { until: back(), account: 'eve' })
  const begun = new URL(await mine.begin(instance.url))
  const mixed = new URL(returned)
  mixed.searchParams.set('state', begun.searchParams.get('state') ?? '')
  expect((await mine.end(instance.url, mixed.href)).body.errors.message).toMatch(/^Could not check the response of Acme ID/)
})

test('with a wrong client secret nobody signs in', async () => {
  const other = await startInstance({
    settings: { ...provider.settings, OUTLAY_OPENID_CLIENT_SECRET: 'wrong', OUTLAY_PUBLIC_URL: instance.url },
  })
  expect((await signIn('bea', { url: other.url })).body.errors.message).toMatch(/^Could not check the response of Acme ID/)
  await other.remove()
})

test('on a replica nobody signs in, and without a public address only at this computer', async () => {
  const other = await startInstance({
    database: 'sqlite',
    settings: { ...provider.settings, OUTLAY_ALLOWED_HOSTS: ['outlay.example.org'] },
  })
  const { body } = await sendRaw(other.url, {
    line: 'GET /api/v1/setup HTTP/1.1',
    headers: ['Host: outlay.example.org', 'User-Agent: tests'],
  })
  expect(JSON.parse(body).openid).toBeNull()
  const replica = await startReplica(other.url, other.member, { settings: provider.settings })
  expect((await replica.api.get('/setup')).body.openid).toBeNull()
  expect((await replica.api.send('POST', '/session/openid/begin')).status).toBe(422)
  await replica.remove()
  await other.remove()
})
