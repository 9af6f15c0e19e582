import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestBrowser } from '#test/support/doors/openid-browser'
import { type TestProvider, startProvider } from '#test/support/doors/openid-provider'
import { checked } from '#test/support/contract'
import { type Instance, apiOf, startInstance } from '#test/support/instance'

let provider: TestProvider
let instance: Instance
beforeAll(async () => {
  provider = await startProvider()
  instance = await startInstance({ settings: { ...provider.settings, OUTLAY_LOGIN_THROTTLE: 1000 } })
  provider.open([`${instance.url}/sign-in/openid`])
})
afterAll(async () => {
  await instance.remove()
  await provider.close()
})

const back = () => `${instance.url}/sign-in/openid`

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
