import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Email } from 'postal-mime'
import { systemClock } from '#main/clock'
import { checked } from '#test/support/contract'
import { apiOf, startInstance } from '#test/support/instance'
import { startMailbox } from '#test/support/mailbox'

const minuteMs = 60_000
let laterMs = 0
const mailbox = await startMailbox()
const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + laterMs) }
const settings = { OUTLAY_SMTP_URL: mailbox.url, OUTLAY_PUBLIC_URL: 'https://outlay.example.org/', OUTLAY_LOGIN_THROTTLE: 1000 }
const instance = await startInstance({ clock, settings })
afterAll(async () => {
  await instance.remove()
  await mailbox.close()
})

let sent = 0
let email = ''
beforeEach(async () => {
  sent += 1
  await instance.addUser(`Person ${sent}`, 'member')
  email = `person.${sent}@example.org`
})

const browser = () => checked(apiOf(instance.url, null))
const ask = (address = email, locale = 'en') => browser().send('POST', '/session/email', { email: address, locale })
const redeem = (given: object) => browser().send('POST', '/session/email/code', given)
const codeIn = ({ text = '' }: Email) => /^(\d{4} \d{4})$/m.exec(text)?.[1] ?? ''
const secretOf = ({ text = '' }: Email) => /https:\/\/outlay\.example\.org\/sign-in#(\S+)/.exec(text)?.[1] ?? ''

async function mailed(count = 1): Promise<Email> {
  expect((await ask()).status).toBe(204)
  return mailbox.waitFor(email, count)
}

test('a code signs in once, in any browser, and the trail has it', async () => {
  const code = codeIn(await mailed())
  const { status, headers, body } = await redeem({ email: ` ${email.toUpperCase()}`.trim(), code: code.replace(' ', '') })
  expect([status, body.user.first_name]).toEqual([201, 'Person'])
  const cookie = headers.get('set-cookie') ?? ''
  expect(cookie).toContain('HttpOnly; SameSite=Strict')
  const signedIn = { cookie: cookie.split(';')[0] ?? '' }
  expect((await browser().get('/user/sessions', signedIn)).body.sessions).toMatchObject([{ door: 'email', current: true }])
  const trail = instance.app.store.reader.db
    .selectFrom('activities')
    .select(['subject_id', 'user_id'])
    .where('event', '=', 'signed_in_by_email')
  expect(await trail.execute()).toEqual([{ subject_id: body.user.id, user_id: body.user.id }])
  expect((await redeem({ email, code })).body).toEqual({ errors: { code: ['is invalid'] } })
})

test('a link signs in once; its code is then used up too', async () => {
  const mail = await mailed()
  const link = secretOf(mail)
  expect((await redeem({ link: `${link}x` })).body).toEqual({ errors: { link: ['is invalid'] } })
  expect((await redeem({ link })).status).toBe(201)
  expect((await redeem({ link })).status).toBe(422)
  expect((await redeem({ email, code: codeIn(mail) })).status).toBe(422)
})

test('neither is stored, or shown by any list', async () => {
  const mail = await mailed()
  const { db } = instance.app.store.reader
  const tables = ['sign_in_codes', 'activities', 'idempotency_keys', 'change_log', 'sessions'] as const
  const dump = JSON.stringify(await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute())))
  for (const secret of [codeIn(mail), codeIn(mail).replace(' ', ''), secretOf(mail)]) expect(dump).not.toContain(secret)
})

test('a code of one address does not sign in another', async () => {
  const code = codeIn(await mailed())
  expect((await redeem({ email: 'ada.admin@example.org', code })).status).toBe(422)
  expect((await redeem({ code })).status).toBe(422)
  expect((await redeem({})).status).toBe(422)
})

test('code and link end after fifteen minutes', async () => {
  const mail = await mailed()
  laterMs += 15 * minuteMs
  expect((await redeem({ email, code: codeIn(mail) })).status).toBe(422)
  expect((await redeem({ link: secretOf(mail) })).status).toBe(422)
})

test('after ten wrong codes the right one does not help, and the link still does', async () => {
  const mail = await mailed()
  const code = codeIn(mail)
  const wrong = code.startsWith('0') ? '1'.repeat(8) : '0'.repeat(8)
  for (let tries = 0; tries < 10; tries += 1) expect((await redeem({ email, code: wrong })).status).toBe(422)
  expect((await redeem({ email, code })).status).toBe(422)
  expect((await redeem({ link: secretOf(mail) })).status).toBe(201)
})

test('an address that nobody has gets the same responses and the same rows, and no message', async () => {
  const unknown = `nobody.${sent}@example.org`
  const known = await ask()
  const absent = await ask(unknown)
  const shape = ({ status, body, headers }: typeof known) => [status, body, [...headers.keys()].toSorted()]
  expect(shape(absent)).toEqual(shape(known))
  await mailbox.waitFor(email)
  const wrong = { code: '12345678' }
  expect(shape(await redeem({ email: unknown, ...wrong }))).toEqual(shape(await redeem({ email, ...wrong })))
  const rows = await instance.app.store.reader.db.selectFrom('sign_in_codes').selectAll().where('email', 'in', [email, unknown]).execute()
  expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1])
  expect(mailbox.mails.some(({ to }) => to?.[0]?.address === unknown)).toBe(false)
})

test('an address gets five messages in fifteen minutes, and the sixth request is answered like the others', async () => {
  for (let count = 1; count <= 5; count += 1) await mailed(count)
  expect((await ask()).status).toBe(204)
  laterMs += 16 * minuteMs
  await mailed(6)
  expect(mailbox.mails.filter(({ to }) => to?.[0]?.address === email)).toHaveLength(6)
})

test.each([
  ['en', 'Your code for Outlay'],
  ['pt', 'Seu código para o Outlay'],
  ['es', 'Tu código para Outlay'],
])('the message reads in %s', async (locale, subject) => {
  await ask(email, locale)
  expect((await mailbox.waitFor(email)).subject).toBe(subject)
})

test('the link leads to the configured address, whatever host asked', async () => {
  expect(secretOf(await mailed())).toMatch(/^[0-9a-f]{64}$/)
})

test('someone whose account was deleted gets no message', async () => {
  const row = await instance.app.store.reader.db.selectFrom('user_emails').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
  const actor = { user_id: row.user_id, origin: 'test', request_id: null, if_match: null }
  await instance.app.store.transact(actor, (tx) => tx.write('UPDATE users SET deleted_at = ? WHERE id = ?', [tx.now, row.user_id]))
  await ask()
  await expect
    .poll(() =>
      instance.app.store.reader.db.selectFrom('sign_in_codes').select(['sent_at', 'code_hash']).where('email', '=', email).execute(),
    )
    .toEqual([{ sent_at: expect.any(String), code_hash: null }])
})

test('a page of another site cannot sign a visitor in', async () => {
  const link = secretOf(await mailed())
  const forged = await apiOf(instance.url, null).send('POST', '/session/email/code', { link }, { origin: 'https://evil.example' })
  expect(forged.status).toBe(403)
})

test('sixteen browsers that use one code at once get one session', async () => {
  const code = codeIn(await mailed())
  const statuses = await Promise.all(Array.from({ length: 16 }, async () => (await redeem({ email, code })).status))
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
})

test('without a mail server, or where the operator says no, nobody signs in by e-mail', async () => {
  const others = [{}, { OUTLAY_SMTP_URL: mailbox.url, OUTLAY_EMAIL_SIGN_IN: false }]
  for (const settings of others) {
    const other = await startInstance({ settings })
    const api = checked(apiOf(other.url, null))
    expect((await api.get('/setup')).body.email_sign_in).toBe(false)
    const { status, body } = await api.send('POST', '/session/email', { email: 'ada.admin@example.org' })
    expect([status, body]).toEqual([422, { errors: { message: 'Nobody can sign in by e-mail here.' } }])
    await other.remove()
  }
})

test('requests count as failed sign-ins of their network address', async () => {
  const other = await startInstance({ settings: { OUTLAY_SMTP_URL: mailbox.url } })
  const api = apiOf(other.url, null)
  // A loopback address has a hundred.
  for (let count = 0; count < 100; count += 1) await api.send('POST', '/session/email/code', { email, code: '00000000' })
  expect((await api.send('POST', '/session/email', { email })).status).toBe(429)
  await other.remove()
})
