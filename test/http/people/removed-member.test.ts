import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthenticator } from '#test/support/doors/authenticator'
import { type Instance, apiOf, startInstance } from '#test/support/instance'
import { startMailbox } from '#test/support/mailbox'

const origin = 'https://outlay.example.org'

let instance: Instance
beforeAll(async () => {
  instance = await startInstance()
})
afterAll(() => instance.remove())

test('a member who belongs elsewhere too has nothing of the organization from the removal on, by token, session, batch, stream and replica', async () => {
  const { admin, organization_id, url } = instance
  const gone = await instance.addUser('Rita Removed', 'manager')
  await gone.api.send('POST', '/organizations', { name: 'Elsewhere' })
  const browser = apiOf(url, null)
  const signedIn = await browser.send('POST', '/session', { token: gone.token })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const controller = new AbortController()
  const listen = async (path: string) => {
    const { body } = await fetch(`${url}/api/v1${path}`, {
      headers: { cookie, 'user-agent': 'tests' },
      signal: controller.signal,
    })
    const heard: string[] = []
    const decoder = new TextDecoder()
    const reading = (async () => {
      for await (const chunk of body ?? []) heard.push(decoder.decode(chunk))
    })().catch(() => undefined)
    return { heard, reading }
  }
  const [events, pokes] = [await listen('/events'), await listen('/sync/pokes')]
  await expect.poll(() => events.heard.join('')).toContain('ready')
  expect((await gone.api.get(`/organizations/${organization_id}/tags`)).status).toBe(200)
  expect((await admin.api.send('DELETE', `/organizations/${organization_id}/members/${gone.user_id}`)).status).toBe(204)
  const operations = [{ method: 'POST', path: `/organization/${organization_id}/tags`, body: { name: 'Mine' } }]
  const statuses = [
    (await gone.api.get(`/organizations/${organization_id}/tags`)).status,
    (await browser.get(`/organizations/${organization_id}`, { cookie })).status,
    (await gone.api.send('POST', '/batch', { operations })).body.results[0].status,
  ]
  expect(statuses).toEqual([404, 404, 404])
  await expect.poll(() => events.heard.join('')).toContain('memberships')
  const before = { events: events.heard.length, pokes: pokes.heard.length }
  const { body: tag } = await admin.api.send('POST', `/organization/${organization_id}/tags`, { name: 'Secret plans' })
  // What comes next for them shows that this one did not.
  await gone.api.send('POST', '/pre_expenses', { description: 'Ride' })
  await expect.poll(() => events.heard.slice(before.events).join('')).toContain('pre_expenses')
  expect(events.heard.slice(before.events).join('')).not.toContain(tag.uid ?? '"tags"')
  expect(events.heard.slice(before.events).join('')).not.toContain('"tags"')
  expect((await gone.api.get('/session')).body.memberships).toMatchObject([{ organization: { name: 'Elsewhere' } }])
  controller.abort()
  await Promise.all([events.reading, pokes.reading])
})

test('who is removed from their last organization is out at once, by every door, until they are invited again', async () => {
  const mailbox = await startMailbox()
  const settings = { OUTLAY_SMTP_URL: mailbox.url, OUTLAY_PUBLIC_URL: origin, OUTLAY_LOGIN_THROTTLE: 1000, OUTLAY_WEBHOOK_ALLOW_PRIVATE: true }
  const other = await startInstance({ settings })
  const email = 'olga.out@example.org'
  const gone = await other.addUser('Olga Out', 'member')
  const browser = apiOf(other.url, null)
  const authenticator = createAuthenticator(origin)
  const options = (await gone.api.send('POST', '/user/passkeys/challenge')).body
  await gone.api.send('POST', '/user/passkeys', { name: 'Phone', passkey: authenticator.create(options) })
  const { codes } = (await gone.api.send('POST', '/user/recovery_codes')).body
  const keys = { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: Buffer.alloc(16, 7).toString('base64url') }
  await gone.api.send('POST', '/devices', { name: 'Phone', endpoint: 'http://127.0.0.1:9/q', keys })
  const byPasskey = async () => {
    const { body } = await browser.send('POST', '/session/passkey/challenge')
    return browser.send('POST', '/session/passkey', { passkey: authenticator.get(body) })
  }
  const cookie = (await byPasskey()).headers.get('set-cookie')?.split(';')[0] ?? ''
  expect((await browser.get('/session', { cookie })).status).toBe(200)
  const headers = { cookie, 'user-agent': 'tests' }
  const ended = Promise.all(
    ['/events', '/sync/pokes'].map(async (path) => (await fetch(`${other.url}/api/v1${path}`, { headers })).text()),
  )
  const mailed = async (count: number) => {
    await browser.send('POST', '/session/email', { email })
    return /^(\d{4} \d{4})$/m.exec((await mailbox.waitFor(email, count)).text ?? '')?.[1]
  }
  const before = await mailed(1)
  expect((await other.admin.api.send('DELETE', `/organizations/${other.organization_id}/members/${gone.user_id}`)).status).toBe(
    204,
  )
  await ended
  expect((await gone.api.get('/session')).status).toBe(401)
  expect((await browser.get('/session', { cookie })).status).toBe(401)
  expect((await browser.send('POST', '/session', { token: gone.token })).status).toBe(422)
  expect((await byPasskey()).status).toBe(422)
  expect((await browser.send('POST', '/session/recovery_code', { code: codes[0] })).status).toBe(422)
  expect((await browser.send('POST', '/session/email/code', { email, code: before })).status).toBe(422)
  const fresh = await browser.send('POST', '/session/email/code', { email, code: await mailed(2) })
  expect([fresh.status, fresh.body.errors.message]).toEqual([422, expect.stringContaining('invite')])
  const { db } = other.app.store.reader
  expect(await db.selectFrom('devices').select('push_endpoint').where('user_id', '=', gone.user_id).execute()).toEqual([
    { push_endpoint: null },
  ])
  const closed = db
    .selectFrom('activities')
    .select('user_id')
    .where('event', '=', 'account_closed')
    .where('subject_id', '=', gone.user_id)
  expect(await closed.execute()).toEqual([{ user_id: other.admin.user_id }])

  const { api } = other.admin
  const invitations = `/organizations/${other.organization_id}/invitations`
  await api.send('POST', `/organizations/${other.organization_id}/members`, { user: { email } })
  const [invitation] = (await api.get(invitations)).body.invitations
  const { link } = (await api.send('POST', `${invitations}/${invitation.id}/link`)).body
  const accepted = await browser.send('POST', '/invitation/accept', { secret: String(link).split('#')[1] })
  expect([accepted.status, accepted.body.user.id]).toEqual([201, gone.user_id])
  expect((await apiOf(other.url, accepted.body.token).get('/session')).body.memberships).toHaveLength(1)
  expect((await gone.api.get('/session')).status).toBe(401)
  await other.remove()
  await mailbox.close()
})
