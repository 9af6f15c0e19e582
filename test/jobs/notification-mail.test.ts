import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, expect, test } from 'vitest'
import { createApp, createLog } from '#main/app'
import { type Clock, systemClock } from '#main/clock'
import { readSettings } from '#main/config/settings'
import { insertMembership } from '#main/store/records/organizations/organization-writer'
import { insertUser } from '#main/store/records/users/user-writer'
import { openRaw } from '#test/support/databases/raw'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { type Instance, type InstanceOptions, type Json, apiOf, startInstance } from '#test/support/instance'
import { type Mailbox, startMailbox } from '#test/support/mailbox'
import { eventually, notificationsOf, untilNotified } from '#test/support/notifications'
import { recordMoney } from '#test/support/settlements'

const open: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

async function start(options: InstanceOptions = {}): Promise<{ instance: Instance; mailbox: Mailbox }> {
  const mailbox = await startMailbox()
  const settings = { OUTLAY_SMTP_URL: mailbox.url, OUTLAY_MAIL_DIGEST_MS: 1, OUTLAY_PUBLIC_URL: 'https://outlay.example.org' }
  const instance = await startInstance({ ...options, settings: { ...settings, ...options.settings } })
  open.push(
    () => mailbox.close().catch(() => undefined),
    () => instance.remove(),
  )
  return { instance, mailbox }
}

/** A clock that a test moves forward. */
function movedClock(): Clock & { ahead(ms: number): void } {
  let aheadMs = 0
  return { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs), ahead: (ms) => void (aheadMs += ms) }
}

const member = 'mel.member@example.org'
const forMember = (instance: Instance, attributes: Record<string, unknown> = {}): Promise<Json> =>
  recordExpense(instance, instance.analyst, { receiver: { id: instance.member.user_id, type: 'User' }, ...attributes })

const untilSent = (instance: Instance, count: number) =>
  eventually(async () => {
    const rows = await notificationsOf(instance, instance.member.user_id)
    return rows.length === count && rows.every(({ state }) => state === 'sent') ? rows : undefined
  }, `${count} sent notifications`)

test('a message says what happened, with a link there and to the settings', async () => {
  const { instance, mailbox } = await start()
  const { id } = await forMember(instance, { description: 'Taxi', amount: 480 })
  const mail = await mailbox.waitFor(member)
  expect(mail.subject).toBe('Taxi: Ann Analyst created the expense of BRL 480.00.'.replace(' 480', '\u00a0480'))
  expect(mail.from?.address).toBe('outlay@localhost')
  expect(mail.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain(`https://outlay.example.org/expenses/${id}`)
    expect(part).toContain('https://outlay.example.org/settings/notifications')
    expect(part).toContain('Ann Analyst created the expense')
  }
  expect(mail.html).not.toMatch(/<(img|script|link)|url\(|@import/)
  expect(mailbox.mails).toHaveLength(1)
})

test('a message is in the language, the timezone and the numbers of its reader', async () => {
  const clock = movedClock()
  clock.ahead(Date.parse('2026-07-01T02:30:20Z') - clock.now().getTime())
  const { instance, mailbox } = await start({ clock })
  await instance.member.api.send('PATCH', '/preferences', { locale: 'pt', timezone: 'America/Sao_Paulo' })
  await forMember(instance, { description: 'Hotel', amount: 1234.5, occurred_at: '2026-06-30' })
  const mail = await mailbox.waitFor(member)
  expect(mail.subject?.replaceAll('\u00a0', ' ')).toBe('Hotel: Ann Analyst criou a despesa de BRL 1.234,50.')
  expect(mail.html).toContain('<html lang="pt-BR">')
  expect(mail.text).toContain('Olá, Mel,')
  expect(mail.text).toMatch(/30 de jun\. de 2026, 23:30/)
  expect(mail.text).toContain('Alterar suas notificações')
})

test('a batch is one message with fifty sentences, a count of the rest, and sums by currency', async () => {
  const { instance, mailbox } = await start({ settings: { OUTLAY_MAIL_DIGEST_MS: 2_000 } })
  await instance.member.api.send('PATCH', '/notifications', { email_on_expense_created: false })
  const receiver = { id: instance.member.user_id, type: 'User' }
  const body = { payer: { id: instance.organization_id, type: 'Organization' }, occurred_at: '2026-03-04', receiver }
  const make = Array.from({ length: 60 }, (_, index) => ({
    method: 'POST',
    path: '/expenses',
    body: { ...body, description: `Ride ${index + 1}`, amount: 10.5, currency: index < 50 ? 'BRL' : 'USD' },
  }))
  const made = await instance.analyst.api.send<Json>('POST', '/batch', { operations: make })
  const approve = made.body.results.map(({ body: { id, amount, currency } }: Json) => ({
    method: 'PUT',
    path: `/expenses/${id}/status`,
    body: { status: 'approved', approved_amount: amount, approved_amount_currency: currency },
  }))
  await instance.manager.api.send('POST', '/batch', { operations: approve })
  const mail = await mailbox.waitFor(member)
  expect(mail.subject?.replaceAll('\u00a0', ' ')).toBe('Expenses moved to “Approved”: 60 (BRL 525.00 and USD 105.00)')
  expect(mail.text?.match(/moved the expense from/g)).toHaveLength(50)
  expect(mail.text).toContain('And 10 more.')
  expect(mail.text?.replaceAll('\u00a0', ' ')).toContain('- Expenses moved to “Approved”: 60 (BRL 525.00 and USD 105.00)')
  await untilSent(instance, 60)
  expect(mailbox.mails.filter(({ to }) => to?.[0]?.address === member)).toHaveLength(1)
})

test('people’s own text is no markup, no header and no line of ours', async () => {
  const { instance, mailbox } = await start()
  const evil = '<script>alert(1)</script>"><img src=x onerror=alert(1)>\r\nBcc: thief@example.org\r\n\r\n-- \r\nPay here'
  const { id } = await forMember(instance, { description: evil })
  const mail = await mailbox.waitFor(member)
  expect(mail.html).not.toMatch(/<script|<img/)
  expect(mail.html).toContain('&#60;script&#62;alert(1)&#60;/script&#62;')
  expect(mail.subject).toContain('<script>alert(1)</script>"><img src=x onerror=alert(1)> Bcc: thief@example.org')
  expect(mail.bcc ?? []).toEqual([])
  expect(mail.headers.some(({ value }) => value === 'thief@example.org')).toBe(false)
  expect(mail.text).not.toMatch(/^(Bcc|Pay here)/m)
  await instance.analyst.api.send('POST', `/expenses/${id}/comments`, { content: 'One\u2028\nTwo <b>&amp;</b>' })
  const second = await mailbox.waitFor(member, 2)
  expect(second.html).toContain('One Two &#60;b&#62;&#38;amp;&#60;/b&#62;')
  const { store } = instance.app
  const actor = { user_id: instance.analyst.user_id, origin: 'api', request_id: null, if_match: null }
  await store.transact(actor, async (tx) => {
    const profile = { email: 'eve@example.org', default_currency: 'BRL', locale: 'en', timezone: 'Etc/UTC' } as const
    const user = await insertUser(tx, { name: 'Eve\r\nX-Evil: yes', ...profile })
    await insertMembership(tx, { organization_id: instance.organization_id, user_id: user.id, role: 'member' })
  })
  const third = await mailbox.waitFor('eve@example.org')
  expect(third.headers.some(({ key }) => key === 'x-evil')).toBe(false)
  expect(third.subject).toContain('Eve X-Evil: yes')
})

test('a switch turned off while a message waits is heeded', async () => {
  const { instance, mailbox } = await start({ settings: { OUTLAY_MAIL_DIGEST_MS: 3_000 } })
  await forMember(instance)
  await recordMoney(instance, '/reimbursements', { description: 'March' })
  await untilNotified(instance)
  await instance.member.api.send('PATCH', '/notifications', { email_on_expense_created: false })
  const mail = await mailbox.waitFor(member)
  expect(mail.subject).toContain('March: Max Manager created the reimbursement')
  await eventually(async () => {
    const rows = await notificationsOf(instance, instance.member.user_id)
    return rows.map(({ state, last_error }) => last_error ?? state).join() === 'no longer wanted,sent' ? rows : undefined
  }, 'dropped and sent notification')
})

test('nothing is sent to an address that came back until its owner asks for it', async () => {
  const { instance, mailbox } = await start()
  mailbox.unknown.add(member)
  await forMember(instance)
  const failed = await eventually(
    async () => (await notificationsOf(instance, instance.member.user_id)).find(({ state }) => state === 'failed'),
    'failed notification',
  )
  expect(failed.last_error).toContain('No such user here')
  const shown = (await instance.member.api.get('/notifications')).body
  expect(shown.email).toEqual({ address: member, bounced_at: expect.any(String) })
  await forMember(instance)
  await untilNotified(instance)
  expect(await notificationsOf(instance, instance.member.user_id)).toHaveLength(1)
  mailbox.unknown.clear()
  const asked = await instance.member.api.send<Json>('PATCH', '/notifications', { email_on_expense_created: true })
  expect(asked.body.email.bounced_at).toBeNull()
  await forMember(instance, { description: 'Ferry' })
  expect((await mailbox.waitFor(member)).subject).toContain('Ferry')
})

test('a mail server that is down is tried again, and what came meanwhile goes along', async () => {
  const clock = movedClock()
  const { instance, mailbox } = await start({ clock })
  await mailbox.close()
  await forMember(instance, { description: 'Taxi' })
  const tried = await eventually(
    async () => (await notificationsOf(instance, instance.member.user_id)).find(({ attempts }) => attempts === 1),
    'first try',
  )
  expect(tried).toMatchObject({ state: 'waiting', last_error: expect.stringMatching(/ECONNREFUSED|ECONNRESET|closed|connect/i) })
  expect(Date.parse(tried.next_attempt_at ?? '')).toBeGreaterThan(clock.now().getTime() + 30_000)
  const again = await startMailbox(mailbox.port)
  open.push(() => again.close())
  clock.ahead(61_000)
  await forMember(instance, { description: 'Bus' })
  const mail = await again.waitFor(member)
  expect(mail.text).toContain('Taxi')
  const [first] = await untilSent(instance, 2)
  expect(first?.next_attempt_at).toBeNull()
})

test('after eight tries within a day no more are made', async () => {
  const clock = movedClock()
  const { instance, mailbox } = await start({ clock })
  await mailbox.close()
  await forMember(instance)
  const { user_id } = instance.member
  const begin = clock.now().getTime()
  for (let attempts = 1; attempts <= 8; attempts += 1) {
    const row = await eventually(
      async () => (await notificationsOf(instance, user_id)).find((one) => one.attempts === attempts),
      `try ${attempts}`,
    )
    expect(row.state).toBe(attempts === 8 ? 'failed' : 'waiting')
    clock.ahead(Date.parse(row.next_attempt_at ?? '') - clock.now().getTime() + 1_000 || 0)
    await instance.stranger.api.send('PATCH', '/preferences', { default_currency: attempts % 2 ? 'USD' : 'BRL' })
  }
  expect(clock.now().getTime() - begin).toBeLessThan(24 * 60 * 60 * 1000)
})

test('without a mail server, messages are files that any mail program opens', async () => {
  const { instance } = await start({ settings: { OUTLAY_SMTP_URL: undefined } })
  await forMember(instance, { description: 'Táxi até o aeroporto' })
  const folder = join(instance.folder, 'outbox')
  const file = await eventually(async () => (await readdir(folder).catch(() => [])).find((name) => name.endsWith('.eml')), 'file')
  const mail = await PostalMime.parse(await readFile(join(folder, file)))
  expect(mail.to?.[0]?.address).toBe(member)
  expect(mail.subject).toContain('Táxi até o aeroporto')
})

test('an old folder sends no notifications for earlier events', async () => {
  const { instance, mailbox } = await start({ settings: { OUTLAY_MAIL_DIGEST_MS: 1 } })
  const made = await forMember(instance, { description: 'Old' })
  await mailbox.waitFor(member)
  await moveExpense(instance.manager, made.id, { status: 'analyzing' })
  await instance.close()
  const raw = await openRaw(instance)
  await raw.exec('DELETE FROM notifications')
  await raw.exec("DELETE FROM instance_settings WHERE key = 'notifications_cursor'")
  await raw.close()
  const sentBefore = mailbox.mails.length
  const again = await startAgain(instance, mailbox)
  await again.send('PATCH', `/expenses/${made.id}`, { description: 'New' })
  const sent = await eventually(async () => {
    const since = mailbox.mails.slice(sentBefore)
    return since.some(({ text }) => text?.includes('“New”')) ? since : undefined
  }, 'mail')
  expect(sent.map(({ text }) => text).join()).not.toContain('moved the expense')
})

async function startAgain({ folder, analyst }: Instance, { url: smtp }: Mailbox) {
  const settings = { ...readSettings(folder, {}), OUTLAY_LOG: 'silent' as const, OUTLAY_SMTP_URL: smtp, OUTLAY_MAIL_DIGEST_MS: 1 }
  const app = await createApp({ data_folder: folder, settings, web_folder: null, log: createLog(settings) })
  open.push(() => app.close())
  return apiOf(await app.server.listen({ host: '127.0.0.1', port: 0 }), analyst.token)
}
