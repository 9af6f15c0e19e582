import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { type Clock, systemClock } from '#main/clock'
import { askHolders } from '#main/jobs/ask-holders'
import { listLinesToAskNow } from '#main/use-cases/statements/ask-for-receipts'
import { type MatchTask, findMatches } from '#main/use-cases/statements/find-matches'
import { captureRead, listProcessed } from '#test/support/captures'
import { registerCard } from '#test/support/cards'
import { recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'
import { type Mailbox, startMailbox } from '#test/support/mailbox'
import { eventually } from '#test/support/notifications'
import { jpgFile, pngFile } from '#test/support/sample-files'
import { ofxOf, uploadStatement } from '#test/support/statements/upload'

const open: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

const member = 'mel.member@example.org'
const hourMs = 3_600_000

/** An instance whose member has a card with three purchases: of the first there is an expense. */
async function start(): Promise<{ instance: Instance; mailbox: Mailbox; card: Json; home: string; ahead: (ms: number) => void }> {
  let aheadMs = 0
  const clock: Clock = {
    ...systemClock,
    now: () => new Date(systemClock.now().getTime() + aheadMs),
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
  }
  const mailbox = await startMailbox()
  const settings = { OUTLAY_SMTP_URL: mailbox.url, OUTLAY_MAIL_DIGEST_MS: 1_000, OUTLAY_PUBLIC_URL: 'https://outlay.example.org' }
  const instance = await startInstance({ clock, settings })
  open.push(
    () => mailbox.close().catch(() => undefined),
    () => instance.remove(),
  )
  const card = await registerCard(instance, instance.member)
  await recordExpense(instance, instance.member, { amount: 42.5, supplier_name: 'Padaria Real', occurred_at: '2026-05-01' })
  const bytes = ofxOf([
    { day: '2026-05-01', amount: '-42.50', name: 'PADARIA REAL', id: 'A1' },
    { day: '2026-05-02', amount: '-63.40', name: 'TAXI CENTRAL', id: 'A2' },
    { day: '2026-05-03', amount: '-29.90', name: 'STREAMING', id: 'A3' },
  ])
  await uploadStatement(instance, instance.manager, { card_id: card.id, bytes })
  return { instance, mailbox, card, home: `/organizations/${instance.organization_id}`, ahead: (ms) => void (aheadMs += ms) }
}

const asks = ({ mails }: Mailbox) => mails.filter(({ text = '' }) => text.includes('A receipt is missing'))

test('a manager asks all holders at once: one message each with their lines, of a line once a day, until it has an expense', async () => {
  const { instance, mailbox, home, ahead } = await start()
  const { manager } = instance
  expect((await instance.member.api.send('POST', `${home}/statement_requests`, {})).status).toBe(403)
  const ask = async () => (await manager.api.send('POST', `${home}/statement_requests`, {})).body
  expect(await ask()).toEqual({ lines: 2, holders: 1 })
  const mail = await mailbox.waitFor(member)
  expect(mail.subject).toBe('2 card lines need a receipt')
  expect(mail.text).toContain('https://outlay.example.org/statements?list=linesLeft')
  expect(mail.text).toMatch(/“STREAMING”, BRL.29\.90/)
  expect(mail.text).toMatch(/“TAXI CENTRAL”, BRL.63\.40/)
  expect(mail.text).not.toContain('PADARIA')
  expect(await ask()).toEqual({ lines: 0, holders: 0 })
  const { body } = await manager.api.get(`${home}/statement_matching`)
  expect(body.asked).toHaveLength(2)
  // The next day: one of the two has an expense.
  const line = body.lines.find(({ name }: Json) => name === 'TAXI CENTRAL')
  const taxi = await recordExpense(instance, instance.member, { amount: 60, supplier_name: 'Taxi', occurred_at: '2026-04-02' })
  await manager.api.send('POST', `${home}/statement_matches`, { statement_line_id: line.id, expense_id: taxi.id })
  ahead(24 * hourMs)
  expect(await ask()).toEqual({ lines: 1, holders: 1 })
  const next = await eventually(() => asks(mailbox)[1], 'second message')
  expect(next.text).not.toContain('TAXI CENTRAL')
})

test('a line that gets its expense before the message is sent is not in it', async () => {
  const { instance, mailbox, home } = await start()
  await instance.manager.api.send('POST', `${home}/statement_requests`, {})
  const lines = (await instance.manager.api.get(`${home}/statement_lines`)).body.statement_lines
  const { id } = lines.find(({ name }: Json) => name === 'STREAMING')
  await instance.manager.api.send('PATCH', `${home}/statement_lines/${id}`, { reason: 'Private' })
  expect((await mailbox.waitFor(member)).text).not.toContain('STREAMING')
})

test('the morning after an import holders are asked once, and again only when a line is new', async () => {
  const { instance, mailbox, card, ahead } = await start()
  // Lines have the day on which they were added.
  const { created_at } = (await instance.member.api.get(`/organizations/${instance.organization_id}/statement_lines`)).body
    .statement_lines[0]
  let atMs = Date.now()
  const goTo = (days: number, hour: number) => {
    const wantedMs = Date.parse(`${created_at.slice(0, 10)}T00:00:00Z`) + (days * 24 + hour) * hourMs
    ahead(wantedMs - atMs)
    atMs = wantedMs
  }
  const work = () => instance.member.api.send('PATCH', '/preferences', { timezone: 'UTC' })
  await work()
  goTo(1, 6)
  await work()
  expect(asks(mailbox)).toEqual([])
  goTo(1, 9)
  await work()
  expect((await mailbox.waitFor(member)).subject).toBe('2 card lines need a receipt')
  goTo(2, 9)
  await work()
  const bytes = ofxOf([{ day: '2026-05-05', amount: '-11.00', name: 'PARKING', id: 'A4' }])
  await uploadStatement(instance, instance.member, { card_id: card.id, bytes })
  goTo(3, 9)
  await work()
  const second = await eventually(() => asks(mailbox)[1], 'second message')
  expect(second.subject).toBe('3 card lines need a receipt')
  expect(asks(mailbox)).toHaveLength(2)
})

test('a receipt in the inbox finds the line of its amount and day: one alone is sure, and its line is not asked about', async () => {
  const { instance, home } = await start()
  const [first, second] = [await pngFile('one.png'), await jpgFile({ name: 'two.jpg' })]
  const taxi = await captureRead(instance, instance.member, { file: first, total: '6340', date: '2026-05-02' })
  const found = async (person = instance.member) => (await person.api.get(`${home}/statement_matching`)).body
  const { receipts, lines } = await found()
  const line = lines.find(({ name }: Json) => name === 'TAXI CENTRAL')
  expect(receipts).toEqual([{ statement_line_id: line.id, capture_ids: [taxi], file_name: 'one.png', is_sure: true }])
  // The inbox is its owner's alone.
  expect((await found(instance.manager)).receipts).toEqual([])
  expect((await instance.manager.api.send('POST', `${home}/statement_requests`, {})).body).toEqual({ lines: 1, holders: 1 })
  await captureRead(instance, instance.member, { file: second, total: '6340', date: '2026-05-01' })
  expect((await found()).receipts.map(({ is_sure }: Json) => is_sure)).toEqual([false, false])
  expect(await listProcessed(instance.member)).toHaveLength(2)
})

/** Matches as the server does, and counts how often. */
function countingDesk() {
  const desk = {
    runs: 0,
    match: (task: MatchTask) => {
      desk.runs += 1
      return Promise.resolve(findMatches(task))
    },
  }
  return desk
}

test('the lines of all holders are matched at once, each with the expenses and the inbox of its holder', async () => {
  const { instance } = await start()
  const { member, analyst, manager, organization_id } = instance
  const former = await instance.addUser('Former', 'member')
  for (const [at, person] of [analyst, former, manager].entries()) {
    const card = await registerCard(instance, person)
    const bytes = ofxOf([
      { day: '2026-05-02', amount: '-63.40', name: `TAXI ${at}`, id: `T${at}` },
      { day: '2026-05-03', amount: `-1${at}.90`, name: `BAKERY ${at}`, id: `B${at}` },
    ])
    await uploadStatement(instance, manager, { card_id: card.id, bytes })
  }
  await recordExpense(instance, analyst, { amount: 10.9, supplier_name: 'Bakery 0', occurred_at: '2026-05-03' })
  await captureRead(instance, member, { file: await pngFile(), total: '6340', date: '2026-05-02' })
  expect((await instance.admin.api.send('DELETE', `/organizations/${organization_id}/members/${former.user_id}`)).status).toBe(204)
  const desk = countingDesk()
  const asked = { organization_id, user_id: manager.user_id, card_id: null, now: new Date() }
  const lines = await listLinesToAskNow(instance.app.store.reader, desk, asked)
  // The member's taxi has a receipt, the analyst's only an equal one of someone else.
  expect(lines.map(({ name, user_id }) => [name, user_id]).toSorted()).toEqual([
    ['STREAMING', member.user_id],
    ['TAXI 0', analyst.user_id],
  ])
  expect(desk.runs).toBe(1)
})

test('a holder whose new lines all have sure matches is looked at once a day', async () => {
  const { instance, home } = await start()
  const { store } = instance.app
  for (const { id, name } of (await instance.manager.api.get(`${home}/statement_lines`)).body.statement_lines)
    if (name !== 'PADARIA REAL') await instance.manager.api.send('PATCH', `${home}/statement_lines/${id}`, { reason: 'Private' })
  const desk = countingDesk()
  const tomorrow = new Date(Date.now() + 24 * hourMs).toISOString().slice(0, 10)
  let [rounds, atMs] = [0, Date.parse(`${tomorrow}T13:00:00Z`)]
  const now = () => {
    rounds += 1
    return new Date(atMs)
  }
  const clock: Clock = { ...systemClock, now, monotonicMs: () => atMs }
  const job = askHolders({ store, clock, log: pino({ level: 'silent' }), statements: desk })
  for (const [round, laterMs] of [0, hourMs / 3, hourMs / 3, 24 * hourMs].entries()) {
    atMs += laterMs
    job.wake()
    await expect.poll(() => rounds).toBe(round + 1)
  }
  await job.close()
  expect(desk.runs).toBe(2)
})
