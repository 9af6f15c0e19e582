import { afterAll, describe, expect, test } from 'vitest'
import { checked, expectContract } from '#test/support/contract'
import { whileExpired } from '#test/support/expiry'
import { type Person, apiOf, startInstance } from '#test/support/instance'
import { InvitationDesk } from '#test/support/invitations'
import { secretIn } from '#test/support/mailbox'

const desk = await InvitationDesk.open()
const instance = desk.instance
afterAll(() => desk.close())

const dump = async () => {
  const { db } = instance.app.store.reader
  const tables = ['invitations', 'change_log', 'activities', 'idempotency_keys', 'sessions', 'api_tokens'] as const
  return JSON.stringify(await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())))
}

describe('an invitation', () => {
  test('arrives by e-mail in the language of who invites, as text and HTML, with a link whose secret is stored nowhere', async () => {
    const secret = await desk.invited('first@example.org', 'analyst')
    const mail = await desk.mailbox.waitFor('first@example.org')
    expect(mail.subject).toBe('Ada Admin invites you to Acme')
    expect(mail.text).toContain(`https://outlay.example.org/join#${secret}`)
    expect(mail.html).toContain(`href="https://outlay.example.org/join#${secret}"`)
    expect(mail.text).toContain('analyst')
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    await expect.poll(() => desk.listed('first@example.org')).toMatchObject({ state: 'sent', last_error: null })
    expect(await dump()).not.toContain(secret)
  })

  test('cannot be made to look like something else by the names in it', async () => {
    const name = '<b>Evil</b>\r\nBcc: all@example.org'
    const made = await instance.stranger.api.send('POST', '/organizations', { name })
    const path = `/organizations/${made.body.id}/members`
    await instance.stranger.api.send('POST', path, { user: { email: 'careful@example.org' } })
    const mail = await desk.mailbox.waitFor('careful@example.org')
    expect(mail.html).not.toContain('<b>')
    expect(mail.bcc).toBeUndefined()
    expect(mail.subject).toContain('<b>Evil</b> Bcc: all@example.org')
  })

  test('shows who invites, to what and as what, and whether the address is known', async () => {
    const secret = await desk.invited('second@example.org', 'manager')
    expect((await desk.offer(secret)).body).toEqual({
      organization: { id: instance.organization_id, name: 'Acme', expired: false },
      invited_by: { name: 'Ada Admin' },
      email: 'second@example.org',
      role: 'manager',
      expires_at: expect.any(String),
      known: false,
    })
  })

  test('is accepted once: it makes the user, the member, a browser session and a token to come back with', async () => {
    const secret = await desk.invited('third@example.org', 'analyst')
    const { status, headers, body } = await desk.accept(secret, { first_name: 'Tina', last_name: 'Third', locale: 'pt' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      user: { first_name: 'Tina', last_name: 'Third', locale: 'pt', emails: [{ email: 'third@example.org', main: true }] },
      memberships: [{ role: 'analyst', organization: { name: 'Acme' } }],
      way: 'session',
    })
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await apiOf(instance.url, null).get('/session', { cookie })).body.user.id).toBe(body.user.id)
    expect((await checked(apiOf(instance.url, body.token)).get('/preferences')).status).toBe(200)
    expect((await desk.accept(secret)).status).toBe(404)
    expect((await desk.offer(secret)).status).toBe(404)
    expect(await desk.listed('third@example.org')).toBeUndefined()
    const { body: trail } = await instance.admin.api.get('/activities?per_page=5')
    expect(JSON.stringify(trail)).toContain('Tina Third')
    const kept = await dump()
    for (const hidden of [secret, body.token, cookie.split('=')[1]]) expect(kept).not.toContain(hidden)
  })

  test('accepted twice at once makes one member', async () => {
    const secret = await desk.invited('race@example.org')
    const responses = await Promise.all([desk.accept(secret), desk.accept(secret), desk.accept(secret)])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 404, 404])
  })

  test('needs a name of who is new, and settings that there are', async () => {
    const secret = await desk.invited('nameless@example.org')
    expect((await desk.accept(secret, {})).body).toEqual({ errors: { name: ["can't be blank"] } })
    expect((await desk.accept(secret, { name: 'N', timezone: 'Moon/Crater' })).body).toEqual({
      errors: { timezone: ['is not included in the list'] },
    })
    expect((await desk.accept(secret, { name: 'N', default_currency: 'XXY' })).status).toBe(422)
    expect((await desk.accept(secret, { name: 'N', default_currency: 'EUR', timezone: 'Europe/Lisbon' })).body.user).toMatchObject({
      default_currency: 'EUR',
      timezone: 'Europe/Lisbon',
    })
  })

  test('lets a user who has the address by now join, without another user and without another token', async () => {
    const secret = await desk.invited('kim.known@example.org', 'manager')
    const kim = await instance.addUser('Kim Known')
    expect((await desk.offer(secret)).body.known).toBe(true)
    const { body } = await desk.accept(secret, {})
    expect([body.user.id, body.token, body.memberships[0].role]).toEqual([kim.user_id, null, 'manager'])
  })

  test('leaves the role of who became a member meanwhile', async () => {
    const secret = await desk.invited('mia.meanwhile@example.org', 'admin')
    const mia = await instance.addUser('Mia Meanwhile', 'member')
    expect((await desk.accept(secret, {})).body.memberships).toMatchObject([{ role: 'member' }])
    expect((await mia.api.get(`/organizations/${instance.organization_id}/members`)).body.count).toBeGreaterThan(4)
  })

  test('is closed when its address joins in another way', async () => {
    const secret = await desk.invited('other.way@example.org')
    await instance.addUser('Other Way')
    await desk.invite(instance.admin, 'other.way@example.org')
    expect(await desk.listed('other.way@example.org')).toBeUndefined()
    expect((await desk.offer(secret)).status).toBe(404)
  })
})

describe('a link that is passed on by hand', () => {
  const linkFor = async (email: string, person = instance.analyst) => {
    const { id } = await desk.listed(email)
    return checked(person.api).send('POST', `${desk.path}/${id}/link`)
  }

  test('accepts the invitation; it is shown once, kept nowhere, in the trail, and the e-mailed one works no more', async () => {
    const mailed = await desk.invited('by.hand@example.org')
    await expect.poll(() => desk.listed('by.hand@example.org')).toMatchObject({ state: 'sent' })
    const { status, headers, body } = await linkFor('by.hand@example.org')
    expect([status, headers.get('cache-control'), body.state, body.sent_at]).toEqual([200, 'no-store', 'not_sent', null])
    expect(body.invited_by.name).toBe('Ann Analyst')
    const secret = /\/join#(\w+)$/.exec(body.link)?.[1] ?? ''
    expect(body.link).toBe(`https://outlay.example.org/join#${secret}`)
    expect((await desk.offer(mailed)).status).toBe(404)
    const { body: trail } = await instance.admin.api.get('/activities?per_page=5')
    expect(trail.activities[0].changes).toBe('Ann Analyst created a new link for the invitation to “by.hand@example.org”.')
    expect(await dump()).not.toContain(secret)
    expect((await desk.accept(secret)).status).toBe(201)
  })

  test('is not replaced by an e-mail that was still to be sent, until it is sent again', async () => {
    await desk.mailbox.close()
    await desk.invite(instance.admin, 'linked@example.org')
    await expect.poll(() => desk.listed('linked@example.org')).toMatchObject({ last_error: expect.any(String) })
    const { body } = await linkFor('linked@example.org')
    await desk.restartMailbox()
    await desk.pass(3_600_000)
    await desk.invited('after@example.org')
    expect((await desk.offer(body.link.split('#')[1])).status).toBe(200)
    const { id } = await desk.listed('linked@example.org')
    await instance.admin.api.send('POST', `${desk.path}/${id}/resend`)
    await desk.mailbox.waitFor('linked@example.org')
    expect((await desk.offer(body.link.split('#')[1])).status).toBe(404)
  })

  test("is not kept with its idempotency key, and is rejected for a member and for a role above the caller's", async () => {
    await desk.invited('keyed@example.org', 'admin')
    const { id } = await desk.listed('keyed@example.org')
    const path = `${desk.path}/${id}/link`
    expect((await instance.analyst.api.send('POST', path)).status).toBe(403)
    expect((await instance.member.api.send('POST', path)).status).toBe(403)
    const send = () => checked(instance.admin.api).send('POST', path, undefined, { 'idempotency-key': 'link' })
    const { body } = await send()
    expect(await dump()).not.toContain(body.link.split('#')[1])
    expect((await send()).body.link).toBeNull()
  })
})

describe('a secret that accepts nothing', () => {
  test('is always the same 404, whatever is wrong with it', async () => {
    const withdrawn = await desk.invited('withdrawn@example.org')
    const { id } = await desk.listed('withdrawn@example.org')
    expect((await checked(instance.analyst.api).send('DELETE', `${desk.path}/${id}`)).status).toBe(204)
    const made = await instance.stranger.api.send('POST', '/organizations', { name: 'Gone' })
    await instance.stranger.api.send('POST', `/organizations/${made.body.id}/members`, { user: { email: 'gone@example.org' } })
    const gone = secretIn(await desk.mailbox.waitFor('gone@example.org'))
    await instance.stranger.api.send('DELETE', `/organizations/${made.body.id}`)
    for (const secret of ['wrong', withdrawn, gone])
      for (const response of [await desk.offer(secret), await desk.accept(secret)])
        expect([response.status, response.body]).toEqual([404, { errors: { message: 'Record Not Found' } }])
    expect((await desk.offer('')).status).toBe(422)
  })

  test('is that of an invitation from before it was sent again, or renewed with another role', async () => {
    const first = await desk.invited('again@example.org', 'analyst')
    await expect.poll(() => desk.listed('again@example.org')).toMatchObject({ state: 'sent' })
    const { id } = await desk.listed('again@example.org')
    const { status, body } = await checked(instance.manager.api).send('POST', `${desk.path}/${id}/resend`)
    expect([status, body.id, body.sent_at, body.invited_by.name]).toEqual([200, id, null, 'Max Manager'])
    expect((await desk.offer(first)).status).toBe(404)
    const second = secretIn(await desk.mailbox.waitFor('again@example.org', 2))
    await desk.invite(instance.admin, 'again@example.org', 'admin')
    expect((await desk.offer(second)).status).toBe(404)
    const third = secretIn(await desk.mailbox.waitFor('again@example.org', 3))
    expect((await desk.offer(third)).body.role).toBe('admin')
  })

  test('is refused without a look after too many tries; a good one never is', async () => {
    const strict = await startInstance({ settings: { OUTLAY_SMTP_URL: desk.mailbox.url, OUTLAY_LOGIN_THROTTLE: 3 } })
    try {
      const members = `/organizations/${strict.organization_id}/members`
      await strict.admin.api.send('POST', members, { user: { email: 'patient@example.org' } })
      const secret = secretIn(await desk.mailbox.waitFor('patient@example.org'))
      const nobody = apiOf(strict.url, null)
      // A loopback address has at least 100 tries a minute.
      for (let tries = 0; tries < 97; tries += 1) await nobody.send('POST', '/invitation', { secret: 'guess' })
      const tries: number[] = []
      for (const path of ['/invitation', '/invitation/accept', '/invitation', '/invitation', '/invitation/accept'])
        tries.push((await nobody.send('POST', path, { secret: 'guess', name: 'G' })).status)
      expect(tries).toEqual([404, 404, 404, 429, 429])
      expect((await nobody.send('POST', '/invitation', { secret })).status).toBe(200)
      expect((await nobody.send('POST', '/invitation/accept', { secret, name: 'P' })).status).toBe(201)
    } finally {
      await strict.remove()
    }
  })
})

test('a read-only organization is joined once it is renewed', async () => {
  const secret = await desk.invited('renewed@example.org')
  await whileExpired(instance, async () => {
    expect((await desk.offer(secret)).body.organization.expired).toBe(true)
    expect((await desk.accept(secret)).status).toBe(402)
    const { id } = await desk.listed('renewed@example.org')
    expect((await instance.admin.api.send('DELETE', `${desk.path}/${id}`)).status).toBe(402)
  })
  expect((await desk.accept(secret)).status).toBe(201)
})

describe('open invitations', () => {
  test('are seen by analysts and above, newest first', async () => {
    await desk.invited('seen@example.org', 'manager')
    const { body } = await checked(instance.analyst.api).get(`${desk.path}?per_page=2`)
    expect(body.invitations[0]).toMatchObject({
      email: 'seen@example.org',
      role: 'manager',
      invited_by: { id: instance.admin.user_id, name: 'Ada Admin', type: 'User' },
      expires_at: expect.any(String),
    })
    expect(body.invitations).toHaveLength(2)
    expect((await instance.member.api.get(desk.path)).status).toBe(403)
    expect((await instance.stranger.api.get(desk.path)).status).toBe(404)
  })

  test('are managed by those who may give the role', async () => {
    await desk.invited('above@example.org', 'manager')
    const { id } = await desk.listed('above@example.org')
    const statuses = async (person: Person) => [
      (await person.api.send('POST', `${desk.path}/${id}/resend`)).status,
      (await person.api.send('DELETE', `${desk.path}/${id}`)).status,
    ]
    expect(await statuses(instance.stranger)).toEqual([404, 404])
    expect(await statuses(instance.member)).toEqual([403, 403])
    expect(await statuses(instance.analyst)).toEqual([403, 403])
    expect(await statuses(instance.manager)).toEqual([200, 204])
    expect(await statuses(instance.manager)).toEqual([404, 404])
    expect((await instance.manager.api.send('DELETE', `${desk.path}/99999`)).status).toBe(404)
  })

  test('say in the audit trail that they were withdrawn', async () => {
    await desk.invited('trail@example.org')
    const { id } = await desk.listed('trail@example.org')
    await instance.manager.api.send('DELETE', `${desk.path}/${id}`)
    const { body } = await instance.admin.api.get('/activities?per_page=3')
    expect(body.activities[0].changes).toBe('Max Manager withdrew the invitation to “trail@example.org”.')
  })

  test('are changed by who saw the present state only', async () => {
    await desk.invited('stale@example.org')
    await expect.poll(() => desk.listed('stale@example.org')).toMatchObject({ state: 'sent' })
    const { id, uid, version } = await desk.listed('stale@example.org')
    const withdraw = (seen: number) =>
      instance.admin.api.send('DELETE', `${desk.path}/${id}`, undefined, { 'if-match': `"${uid}.${seen}"` })
    expect((await withdraw(version - 1)).status).toBe(412)
    expect((await withdraw(version)).status).toBe(204)
  })
})

test('a repeat with the same Idempotency-Key is not replayed on a route without credentials', async () => {
  const secret = await desk.invited('repeat@example.org')
  const send = () => apiOf(instance.url, null).send('POST', '/invitation/accept', { secret, name: 'R' }, { 'idempotency-key': 'accept-1' })
  const first = await send()
  expectContract('POST', '/invitation/accept', first)
  expect((await send()).status).toBe(404)
  expect(await dump()).not.toContain(first.body.token)
})
