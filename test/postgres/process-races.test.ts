import pg from 'pg'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Served, serveFolder } from '#test/support/built-program'
import { databaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { dawdling, withoutLock } from '#test/support/databases/log-lock'
import { type Race, count, raceRules, statuses } from '#test/support/databases/race-rules'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { apiOf, startInstance } from '#test/support/instance'
import { secretIn, startMailbox } from '#test/support/mailbox'
import { startS3 } from '#test/support/s3'
import { newMoney } from '#test/support/settlements'

const processes = 4
const connections = 4

interface MailedRace extends Race {
  /** The text of the mail that arrives at an address. */
  readonly mailTo: (address: string) => Promise<string>
  /** The secret of an invitation that was mailed. */
  readonly invited: (email: string) => Promise<string>
  readonly end: () => Promise<void>
}

/** An instance, and built programs that serve the same database, each with a connection that writes. */
async function startRace({ isLocked }: { isLocked: boolean }): Promise<MailedRace> {
  const bucket = await startS3(() => new Date())
  const mailbox = await startMailbox()
  const settings = { ...bucket.fileSettings, OUTLAY_SMTP_URL: mailbox.url, OUTLAY_LOGIN_THROTTLE: 1000, OUTLAY_READ_RECEIPTS: false }
  const instance = await startInstance({ settings })
  const url = (await databaseOf(instance.folder)) ?? ''
  const folders = await Promise.all(Array.from({ length: processes }, () => mkdtemp(join(tmpdir(), 'outlay-race-'))))
  for (const folder of folders) await writeFile(join(folder, 'settings.json'), JSON.stringify({ ...settings, OUTLAY_DATABASE_URL: url }))
  const servers: Served[] = await Promise.all(folders.map((path) => serveFolder({ path, token: instance.admin.token })))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const text of [...dawdling, ...(isLocked ? [] : withoutLock)]) await client.query(text)
  return {
    instance,
    all: (times, ask) =>
      Promise.all(
        Array.from({ length: times }, (_, index) => {
          const address = servers[index % processes]?.url ?? ''
          return ask(apiOf(address, instance.admin.token), index, address)
        }),
      ),
    query: async (text) => (await client.query(text)).rows,
    mailTo: async (address) => (await mailbox.waitFor(address)).text ?? '',
    invited: async (email) => {
      await instance.admin.api.send('POST', `/organizations/${instance.organization_id}/members`, { user: { email }, role: 'member' })
      return secretIn(await mailbox.waitFor(email))
    },
    end: async () => {
      await client.end()
      await Promise.all(servers.map((server) => server.stop()))
      await instance.remove()
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
      await mailbox.close()
      await bucket.close()
    },
  }
}

const mailedRules: Readonly<Record<string, (race: MailedRace) => Promise<boolean>>> = {
  'an invitation is accepted once': async ({ all, invited }) => {
    let held = true
    for (let turn = 0; turn < 4; turn += 1) {
      const email = `invited.${turn}@example.org`
      const secret = await invited(email)
      const responses = await all(16, (_api, index, address) =>
        apiOf(address, null).send('POST', '/invitation/accept', { secret, name: `Guest ${index}` }),
      )
      held &&= count(statuses(responses), 201) === 1
    }
    return held
  },
  'a link of an e-mail signs in once': async ({ instance, all, mailTo }) => {
    let held = true
    for (let turn = 0; turn < 4; turn += 1) {
      const { user_id } = await instance.addUser(`Guest ${turn}`, 'member')
      const email = `guest.${turn}@example.org`
      expect(user_id).toBeGreaterThan(0)
      await apiOf(instance.url, null).send('POST', '/session/email', { email })
      const link = /sign-in#(\S+)/.exec(await mailTo(email))?.[1]
      const responses = await all(16, (_api, _index, address) => apiOf(address, null).send('POST', '/session/email/code', { link }))
      held &&= count(statuses(responses), 201) === 1
    }
    return held
  },
  'an expense is reimbursed once': async ({ instance, all }) => {
    let held = true
    for (let turn = 0; turn < 4; turn += 1) {
      const expense = await recordExpense(instance, instance.member)
      await moveExpense(instance.admin, expense.id, { status: 'approved', approved_amount: 12.5 })
      const money = newMoney(instance, { amount: 12.5, expense_ids: [expense.id] })
      const responses = await all(16, (api) => api.send('POST', '/reimbursements', money))
      held &&= count(statuses(responses), 201) === 1
    }
    return held
  },
  ...raceRules,
}

describe.skipIf(!isOnPostgres)(`of ${processes} processes with ${connections} connections each`, () => {
  let race: MailedRace
  beforeAll(async () => {
    race = await startRace({ isLocked: true })
  })
  afterAll(() => race.end())
  test.each(Object.entries(mailedRules))('%s', async (_name, holds) => expect(await holds(race)).toBe(true))
})

// Whether two processes come at the same moment is chance there: which rules break differs, that most do does not.
test.skipIf(!isOnPostgres)(`of ${processes} processes without the lock, rules break`, async () => {
  const race = await startRace({ isLocked: false })
  const broken: string[] = []
  for (const [name, holds] of Object.entries(raceRules)) if (!(await holds(race))) broken.push(name)
  await race.end()
  expect(broken.length).toBeGreaterThan(Object.keys(raceRules).length / 2)
})
