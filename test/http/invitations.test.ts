import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemClock } from '#main/clock'
import { checked, expectContract } from '#test/support/contract'
import { whileExpired } from '#test/support/expiry'
import { type Instance, type Json, type Person, apiOf, startInstance } from '#test/support/instance'
import { type Mailbox, secretIn, startMailbox } from '#test/support/mailbox'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

let mailbox: Mailbox
let instance: Instance
let laterMs = 0
let invitations: string
beforeAll(async () => {
  mailbox = await startMailbox()
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + laterMs) }
  const settings = { OUTLAY_SMTP_URL: mailbox.url, OUTLAY_PUBLIC_URL: 'https://outlay.example.org/', OUTLAY_LOGIN_THROTTLE: 1000 }
  instance = await startInstance({ clock, settings })
  invitations = `/organizations/${instance.organization_id}/invitations`
})
afterAll(async () => {
  await instance.remove()
  await mailbox.close()
})

const anyone = () => checked(apiOf(instance.url, null))
const invite = (person: Person, email: string, role = 'member') =>
  person.api.send('POST', `/organizations/${instance.organization_id}/members`, { user: { email }, role })
const offer = (secret: string) => anyone().send('POST', '/invitation', { secret })
const accept = (secret: string, body: object = { name: 'New Person' }) =>
  anyone().send('POST', '/invitation/accept', { secret, ...body })
const listed = async (email: string): Promise<Json> =>
  (await checked(instance.analyst.api).get(`${invitations}?per_page=100`)).body.invitations.find(
    (one: Json) => one.email === email,
  )
/** Lets time pass; the commit wakes whoever sends. */
const pass = async (ms: number) => {
  laterMs += ms
  await instance.stranger.api.send('POST', '/user/tokens', { description: 'wake' })
}
async function invited(email: string, role?: string): Promise<string> {
  await invite(instance.admin, email, role)
  return secretIn(await mailbox.waitFor(email))
}
const dump = async () => {
  const { db } = instance.app.store.reader
  const tables = ['invitations', 'change_log', 'activities', 'idempotency_keys', 'sessions', 'api_tokens'] as const
  return JSON.stringify(await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())))
}

describe('an invitation', () => {
  test('arrives by e-mail in the language of who invites, as text and HTML, with a link whose secret is stored nowhere', async () => {
    const secret = await invited('first@example.org', 'analyst')
    const mail = await mailbox.waitFor('first@example.org')
    expect(mail.subject).toBe('Ada Admin invites you to Acme')
    expect(mail.text).toContain(`https://outlay.example.org/join#${secret}`)
    expect(mail.html).toContain(`href="https://outlay.example.org/join#${secret}"`)
    expect(mail.text).toContain('analyst')
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    await vi.waitFor(async () => expect(await listed('first@example.org')).toMatchObject({ state: 'sent', last_error: null }))
    expect(await dump()).not.toContain(secret)
  })

  test('cannot be made to look like something else by the names in it', async () => {
    const name = '<b>Evil</b>\r\nBcc: all@example.org'
    const made = await instance.stranger.api.send('POST', '/organizations', { name })
    const path = `/organizations/${made.body.id}/members`
    await instance.stranger.api.send('POST', path, { user: { email: 'careful@example.org' } })
    const mail = await mailbox.waitFor('careful@example.org')
    expect(mail.html).not.toContain('<b>')
    expect(mail.bcc).toBeUndefined()
    expect(mail.subject).toContain('<b>Evil</b> Bcc: all@example.org')
  })

  test('shows who invites, to what and as what, and whether the address is known', async () => {
    const secret = await invited('second@example.org', 'manager')
    expect((await offer(secret)).body).toEqual({
      organization: { name: 'Acme', expired: false },
      invited_by: { name: 'Ada Admin' },
      email: 'second@example.org',
      role: 'manager',
      expires_at: expect.any(String),
      known: false,
    })
  })

  test('is accepted once: it makes the user, the member, a browser session and a token to come back with', async () => {
    const secret = await invited('third@example.org', 'analyst')
    const { status, headers, body } = await accept(secret, { first_name: 'Tina', last_name: 'Third', locale: 'pt' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      user: { first_name: 'Tina', last_name: 'Third', locale: 'pt', emails: [{ email: 'third@example.org', main: true }] },
      memberships: [{ role: 'analyst', organization: { name: 'Acme' } }],
      way: 'session',
    })
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await apiOf(instance.url, null).get('/session', { cookie })).body.user.id).toBe(body.user.id)
    expect((await checked(apiOf(instance.url, body.token)).get('/preferences')).status).toBe(200)
    expect((await accept(secret)).status).toBe(404)
    expect((await offer(secret)).status).toBe(404)
    expect(await listed('third@example.org')).toBeUndefined()
    const { body: trail } = await instance.admin.api.get('/activities?per_page=5')
    expect(JSON.stringify(trail)).toContain('Tina Third')
    const kept = await dump()
    for (const hidden of [secret, body.token, cookie.split('=')[1]]) expect(kept).not.toContain(hidden)
  })

  test('accepted twice at once makes one member', async () => {
    const secret = await invited('race@example.org')
    const answers = await Promise.all([accept(secret), accept(secret), accept(secret)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404, 404])
  })

  test('needs a name of who is new, and settings that there are', async () => {
    const secret = await invited('nameless@example.org')
    expect((await accept(secret, {})).body).toEqual({ errors: { name: ["can't be blank"] } })
    expect((await accept(secret, { name: 'N', timezone: 'Moon/Crater' })).body).toEqual({
      errors: { timezone: ['is not included in the list'] },
    })
    expect((await accept(secret, { name: 'N', default_currency: 'XXY' })).status).toBe(422)
    expect((await accept(secret, { name: 'N', default_currency: 'EUR', timezone: 'Europe/Lisbon' })).body.user).toMatchObject({
      default_currency: 'EUR',
      timezone: 'Europe/Lisbon',
    })
  })

  test('lets a user who has the address by now join, without another user and without another token', async () => {
    const secret = await invited('kim.known@example.org', 'manager')
    const kim = await instance.addUser('Kim Known')
    expect((await offer(secret)).body.known).toBe(true)
    const { body } = await accept(secret, {})
    expect([body.user.id, body.token, body.memberships[0].role]).toEqual([kim.user_id, null, 'manager'])
  })

  test('leaves the role of who became a member meanwhile', async () => {
    const secret = await invited('mia.meanwhile@example.org', 'admin')
    const mia = await instance.addUser('Mia Meanwhile', 'member')
    expect((await accept(secret, {})).body.memberships).toMatchObject([{ role: 'member' }])
    expect((await mia.api.get(`/organizations/${instance.organization_id}/members`)).body.count).toBeGreaterThan(4)
  })

  test('is closed when its address joins in another way', async () => {
    const secret = await invited('other.way@example.org')
    await instance.addUser('Other Way')
    await invite(instance.admin, 'other.way@example.org')
    expect(await listed('other.way@example.org')).toBeUndefined()
    expect((await offer(secret)).status).toBe(404)
  })
})

describe('a secret that accepts nothing', () => {
  test('is one and the same 404, whatever is wrong with it', async () => {
    const withdrawn = await invited('withdrawn@example.org')
    const { id } = await listed('withdrawn@example.org')
    expect((await checked(instance.analyst.api).send('DELETE', `${invitations}/${id}`)).status).toBe(204)
    const made = await instance.stranger.api.send('POST', '/organizations', { name: 'Gone' })
    await instance.stranger.api.send('POST', `/organizations/${made.body.id}/members`, { user: { email: 'gone@example.org' } })
    const gone = secretIn(await mailbox.waitFor('gone@example.org'))
    await instance.stranger.api.send('DELETE', `/organizations/${made.body.id}`)
    for (const secret of ['wrong', withdrawn, gone])
      for (const answer of [await offer(secret), await accept(secret)])
        expect([answer.status, answer.body]).toEqual([404, { errors: { message: 'Record Not Found' } }])
    expect((await offer('')).status).toBe(422)
  })

  test('is that of an invitation from before it was sent again, or made anew with another role', async () => {
    const first = await invited('again@example.org', 'analyst')
    await vi.waitFor(async () => expect(await listed('again@example.org')).toMatchObject({ state: 'sent' }))
    const { id } = await listed('again@example.org')
    const { status, body } = await checked(instance.manager.api).send('POST', `${invitations}/${id}/resend`)
    expect([status, body.id, body.sent_at, body.invited_by.name]).toEqual([200, id, null, 'Max Manager'])
    expect((await offer(first)).status).toBe(404)
    const second = secretIn(await mailbox.waitFor('again@example.org', 2))
    await invite(instance.admin, 'again@example.org', 'admin')
    expect((await offer(second)).status).toBe(404)
    const third = secretIn(await mailbox.waitFor('again@example.org', 3))
    expect((await offer(third)).body.role).toBe('admin')
  })

  test('is refused without a look after too many tries; a good one never is', async () => {
    const strict = await startInstance({ settings: { OUTLAY_SMTP_URL: mailbox.url, OUTLAY_LOGIN_THROTTLE: 3 } })
    try {
      const members = `/organizations/${strict.organization_id}/members`
      await strict.admin.api.send('POST', members, { user: { email: 'patient@example.org' } })
      const secret = secretIn(await mailbox.waitFor('patient@example.org'))
      const nobody = apiOf(strict.url, null)
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
  const secret = await invited('renewed@example.org')
  await whileExpired(instance, async () => {
    expect((await offer(secret)).body.organization.expired).toBe(true)
    expect((await accept(secret)).status).toBe(402)
    const { id } = await listed('renewed@example.org')
    expect((await instance.admin.api.send('DELETE', `${invitations}/${id}`)).status).toBe(402)
  })
  expect((await accept(secret)).status).toBe(201)
})

describe('open invitations', () => {
  test('are seen by analysts and above, newest first', async () => {
    await invited('seen@example.org', 'manager')
    const { body } = await checked(instance.analyst.api).get(`${invitations}?per_page=2`)
    expect(body.invitations[0]).toMatchObject({
      email: 'seen@example.org',
      role: 'manager',
      invited_by: { id: instance.admin.user_id, name: 'Ada Admin', type: 'User' },
      expires_at: expect.any(String),
    })
    expect(body.invitations).toHaveLength(2)
    expect((await instance.member.api.get(invitations)).status).toBe(403)
    expect((await instance.stranger.api.get(invitations)).status).toBe(404)
  })

  test('are managed by those who may give the role', async () => {
    await invited('above@example.org', 'manager')
    const { id } = await listed('above@example.org')
    const statuses = async (person: Person) => [
      (await person.api.send('POST', `${invitations}/${id}/resend`)).status,
      (await person.api.send('DELETE', `${invitations}/${id}`)).status,
    ]
    expect(await statuses(instance.stranger)).toEqual([404, 404])
    expect(await statuses(instance.member)).toEqual([403, 403])
    expect(await statuses(instance.analyst)).toEqual([403, 403])
    expect(await statuses(instance.manager)).toEqual([200, 204])
    expect(await statuses(instance.manager)).toEqual([404, 404])
    expect((await instance.manager.api.send('DELETE', `${invitations}/99999`)).status).toBe(404)
  })

  test('say in the audit trail that they were withdrawn', async () => {
    await invited('trail@example.org')
    const { id } = await listed('trail@example.org')
    await instance.manager.api.send('DELETE', `${invitations}/${id}`)
    const { body } = await instance.admin.api.get('/activities?per_page=3')
    expect(body.activities[0].changes).toBe('Max Manager withdrew the invitation of “trail@example.org”.')
  })

  test('are changed by who saw the present state only', async () => {
    await invited('stale@example.org')
    await vi.waitFor(async () => expect(await listed('stale@example.org')).toMatchObject({ state: 'sent' }))
    const { id, uid, version } = await listed('stale@example.org')
    const withdraw = (seen: number) =>
      instance.admin.api.send('DELETE', `${invitations}/${id}`, undefined, { 'if-match': `"${uid}.${seen}"` })
    expect((await withdraw(version - 1)).status).toBe(412)
    expect((await withdraw(version)).status).toBe(204)
  })
})

describe('sending', () => {
  test('stops at once where the address does not exist, and says why', async () => {
    mailbox.unknown.add('nobody@example.org')
    await invite(instance.admin, 'nobody@example.org')
    await vi.waitFor(async () => expect(await listed('nobody@example.org')).toMatchObject({ state: 'failed', sent_at: null }))
    expect((await listed('nobody@example.org')).last_error).toContain('No such user here')
    mailbox.unknown.delete('nobody@example.org')
    await pass(2 * dayMs)
    const { id } = await listed('nobody@example.org')
    expect(mailbox.mails.some(({ to }) => to?.[0]?.address === 'nobody@example.org')).toBe(false)
    await instance.admin.api.send('POST', `${invitations}/${id}/resend`)
    await mailbox.waitFor('nobody@example.org')
    await vi.waitFor(async () => expect(await listed('nobody@example.org')).toMatchObject({ state: 'sent', last_error: null }))
  })

  test('waits longer and longer for a mail server that is down, and gives up after eight tries', async () => {
    const { port } = mailbox
    await mailbox.close()
    await invite(instance.admin, 'down@example.org')
    const row = () =>
      instance.app.store.reader.db
        .selectFrom('invitations')
        .selectAll()
        .where('email', '=', 'down@example.org')
        .executeTakeFirst()
    await vi.waitFor(async () => expect(await row()).toMatchObject({ attempts: 1, last_error: expect.any(String) }))
    expect(await listed('down@example.org')).toMatchObject({ state: 'waiting', sent_at: null })
    for (let attempts = 2; attempts <= 8; attempts += 1) {
      await pass(13 * hourMs)
      await vi.waitFor(async () => expect(await row()).toMatchObject({ attempts }))
    }
    await vi.waitFor(async () => expect(await listed('down@example.org')).toMatchObject({ state: 'failed' }))
    mailbox = await startMailbox(port)
    await invite(instance.admin, 'down@example.org')
    await mailbox.waitFor('down@example.org')
  })

  test('goes on once the mail server is back, and after a restart', async () => {
    const { port } = mailbox
    await mailbox.close()
    await invite(instance.admin, 'back@example.org')
    await vi.waitFor(async () => expect(await listed('back@example.org')).toMatchObject({ last_error: expect.any(String) }))
    mailbox = await startMailbox(port)
    await pass(2 * 60_000)
    const secret = secretIn(await mailbox.waitFor('back@example.org'))
    expect((await accept(secret)).status).toBe(201)
  })

  test('waits while the organization is read-only', async () => {
    const { port } = mailbox
    await mailbox.close()
    await invite(instance.admin, 'paused@example.org')
    await vi.waitFor(async () => expect(await listed('paused@example.org')).toMatchObject({ last_error: expect.any(String) }))
    mailbox = await startMailbox(port)
    await whileExpired(instance, async () => {
      await pass(hourMs)
      await instance.stranger.api
        .send('POST', '/organizations', { name: 'Busy' })
        .then(({ body }) =>
          instance.stranger.api.send('POST', `/organizations/${body.id}/members`, { user: { email: 'busy@example.org' } }),
        )
      await mailbox.waitFor('busy@example.org')
      expect(mailbox.mails).toHaveLength(1)
    })
    await mailbox.waitFor('paused@example.org')
  })
})

test('an invitation is too old after thirty days, until it is sent again', async () => {
  const secret = await invited('old@example.org')
  const { id } = await listed('old@example.org')
  await pass(31 * dayMs)
  expect((await accept(secret)).status).toBe(404)
  expect(await listed('old@example.org')).toMatchObject({ state: 'expired' })
  await instance.admin.api.send('POST', `${invitations}/${id}/resend`)
  const fresh = secretIn(await mailbox.waitFor('old@example.org', 2))
  expect((await accept(fresh)).status).toBe(201)
})

test('without a mail server the invitation lies in the outbox of the data folder', async () => {
  const local = await startInstance()
  try {
    await local.admin.api.send('POST', `/organizations/${local.organization_id}/members`, { user: { email: 'box@example.org' } })
    const folder = join(local.folder, 'outbox')
    const [file = ''] = await vi.waitFor(async () => {
      const files = await readdir(folder)
      expect(files).toHaveLength(1)
      return files
    })
    expect(await readFile(join(folder, file), 'utf8')).toContain(`${local.url}/join#`)
  } finally {
    await local.remove()
  }
})

test('a repeat under the same Idempotency-Key is no second answer of an open route', async () => {
  const secret = await invited('repeat@example.org')
  const send = () =>
    apiOf(instance.url, null).send('POST', '/invitation/accept', { secret, name: 'R' }, { 'idempotency-key': 'accept-1' })
  const first = await send()
  expectContract('POST', '/invitation/accept', first)
  expect((await send()).status).toBe(404)
  expect(await dump()).not.toContain(first.body.token)
})
