import { mkdirSync } from 'node:fs'
import { systemClock } from '#main/clock'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { insertExpense } from '#main/store/records/expenses/expense-writer'
import { insertMembership } from '#main/store/records/organizations/organization-writer'
import { Store } from '#main/store/core/store'
import { insertUser } from '#main/store/records/users/user-writer'
import { foundOrganization } from '#main/use-cases/organizations/organizations'
import { plainValues } from '#main/use-cases/expenses/create-expense'
import { createToken } from '#main/use-cases/users/tokens'
import { createRandom } from './seed'

/** A remote with so many expenses, each with its entry in the audit trail. */
export interface SeededRemote {
  readonly folder: string
  readonly token: string
  readonly organization_id: number
  readonly records: number
}

const perTransaction = 2000
/** What makes the row of an expense, as JSON, about 633 bytes long: the size that other engines were measured with. */
const description = 'Taxi from the airport to the hotel and back, receipt attached, paid in cash, '.repeat(5).slice(0, 330)

/** Fills a folder through the writers that the program uses; always the same expenses. */
export async function seedRemote(folder: string, records: number): Promise<SeededRemote> {
  mkdirSync(folder, { recursive: true })
  const store = await Store.open(folder, { clock: systemClock, isOwner: true })
  const nobody = { user_id: 0, origin: 'bench', request_id: null, if_match: null }
  const profile = (name: string) => ({ name, email: null, default_currency: 'BRL', locale: 'en' as const, timezone: 'Etc/UTC' })
  const made = await store.transact(nobody, async (outer) => {
    const { organization, user, tx } = await foundOrganization(outer, { organization: 'Acme', admin: profile('Ada Admin') })
    const { token } = await createToken(tx, { user_id: user.id, description: 'bench' })
    const members: number[] = []
    for (let index = 0; index < 20; index += 1) {
      const member = await insertUser(tx, profile(`Member Number${index}`))
      await insertMembership(tx, { organization_id: organization.id, user_id: member.id, role: 'member' })
      members.push(member.id)
    }
    return { organization_id: organization.id, admin_id: user.id, token, members }
  })
  const { organization_id, admin_id, members } = made
  const random = createRandom(7)
  for (let done = 0; done < records; done += perTransaction)
    await store.transact({ ...nobody, user_id: admin_id }, async (tx) => {
      for (let index = done; index < Math.min(records, done + perTransaction); index += 1) {
        const amount_minor = 100 + random(100_000)
        const day = new Date(Date.UTC(2024, 0, 1 + random(730))).toISOString().slice(0, 10)
        const expense = await insertExpense(
          tx,
          {
            ...plainValues({ occurred_at: `${day}T00:00:00Z`, description: `${description}${index}` }),
            payer_id: organization_id,
            receiver_id: members[random(members.length)] ?? admin_id,
            author_id: admin_id,
            currency: 'BRL',
            amount_minor,
            amount_scaled: amount_minor * 100,
          },
          [],
        )
        await recordActivity(tx, { organization_id, subject: { type: 'Expense', id: expense.id }, event: 'expense_created' })
      }
    })
  await store.close()
  return { folder, token: made.token, organization_id, records }
}
