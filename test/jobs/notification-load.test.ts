import { afterEach, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { recordExpense } from '#test/support/expenses'
import { type Instance, type Json, type Person, startInstance } from '#test/support/instance'
import { type Mailbox, startMailbox } from '#test/support/mailbox'
import { eventually, notificationsOf, untilNotified } from '#test/support/notifications'
import { makeBrowser, type PushService, startPushService } from '#test/support/push-service'

const open: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

const member = 'mel.member@example.org'
const browser = makeBrowser(9)

async function start(): Promise<{ instance: Instance; mailbox: Mailbox; service: PushService }> {
  const mailbox = await startMailbox()
  const service = await startPushService()
  const instance = await startInstance({
    clock: systemClock,
    settings: { OUTLAY_SMTP_URL: mailbox.url, OUTLAY_MAIL_DIGEST_MS: 50, OUTLAY_WEBHOOK_ALLOW_PRIVATE: true },
  })
  open.push(
    () => mailbox.close(),
    () => service.close(),
    () => instance.remove(),
  )
  const device = { name: 'Laptop', endpoint: `${service.url}/one`, keys: browser.keys }
  await instance.member.api.send('POST', '/devices', device)
  return { instance, mailbox, service }
}

/** Fifteen comments of one person on each expense, one after another. `said`: what the comment numbered so says. */
async function act({ api }: Person, expenses: readonly Json[], said: (text: string) => string): Promise<void> {
  for (let turn = 0; turn < 15; turn += 1)
    for (const { id } of expenses) {
      const { status } = await api.send('POST', `/expenses/${String(id)}/comments`, { content: said(`${String(id)}-${turn}`) })
      expect(status).toBe(201)
    }
}

test('of 300 acts by two people within a minute none is lost, doubled or out of order, and no one hears of their own', async () => {
  const { instance, mailbox, service } = await start()
  const { analyst, manager } = instance
  const receiver = { id: instance.member.user_id, type: 'User' }
  const expenses: Json[] = []
  for (let index = 0; index < 10; index += 1)
    expenses.push(await recordExpense(instance, analyst, { receiver, description: `Ride ${index}` }))
  await Promise.all([
    act(analyst, expenses, (text) => `analyst ${text}.`),
    act(manager, expenses, (text) => `manager ${text}.`),
    act(instance.member, expenses.slice(0, 1), (text) => `member ${text}.`),
  ])
  await untilNotified(instance)
  const rows = await eventually(async () => {
    const known = await notificationsOf(instance, instance.member.user_id)
    return known.every(({ state }) => state === 'sent') ? known : undefined
  }, 'end of all notifications')
  const { reader } = instance.app.store
  const trail = await reader.db.selectFrom('activities').selectAll().orderBy('id').execute()
  const toTell = trail.filter(
    ({ user_id, event }) => user_id !== instance.member.user_id && ['comment_created', 'expense_created'].includes(event),
  )
  for (const channel of ['email', 'mobile']) {
    const told = rows.filter((row) => row.channel === channel).map(({ activity_id }) => activity_id)
    expect(told).toEqual(toTell.map(({ id }) => id))
  }
  expect(toTell).toHaveLength(310)
  const own = (person: Person) => notificationsOf(instance, person.user_id).then((known) => known.map(({ activity_id }) => activity_id))
  for (const person of [analyst, manager]) {
    const theirs = new Set(trail.filter(({ user_id }) => user_id === person.user_id).map(({ id }) => id))
    expect((await own(person)).filter((id) => id !== null && theirs.has(id))).toEqual([])
  }
  const mails = mailbox.mails.filter(({ to }) => to?.[0]?.address === member)
  const sentences = mails.flatMap(({ text = '' }) => [...text.matchAll(/(?:analyst|manager|member) \d+-\d+\./g)].map(([one]) => one))
  expect(new Set(sentences).size).toBe(sentences.length)
  expect(sentences.filter((one) => one.startsWith('member'))).toEqual([])
  const omitted = mails.reduce((sum, { text = '' }) => sum + Number(/And (\d+) more\./.exec(text)?.[1] ?? 0), 0)
  const created = mails.flatMap(({ text = '' }) => [...text.matchAll(/created the expense/g)]).length
  expect(sentences.length + created + omitted).toBe(310)
  for (const who of ['analyst', 'manager'])
    for (const { id } of expenses) {
      const turns = sentences.flatMap((one) => new RegExp(`^${who} ${String(id)}-(\\d+)\\.$`).exec(one)?.[1] ?? []).map(Number)
      expect(turns).toEqual(turns.toSorted((a, b) => a - b))
    }
  const pushed = service.arrived.map(({ body }) => browser.read(body))
  const counts = pushed.map(({ title }) => Number(/^(\d+) changes/.exec(title)?.[1] ?? 1))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(310)
})
