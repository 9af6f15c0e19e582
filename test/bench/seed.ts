import { mkdirSync } from 'node:fs'
import type { ActivityEvent } from '#shared/domain/activity-events'
import { systemClock } from '#main/clock'
import { insertDevolution } from '#main/store/records/settlements/devolutions'
import { insertExpense } from '#main/store/records/expenses/expense-writer'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { insertMembership } from '#main/store/records/organizations/organization-writer'
import { insertSettlement } from '#main/store/records/settlements/settlements'
import type { ActivityDetail } from '#main/store/records/conversations/activity-details'
import { Store, type Tx } from '#main/store/core/store'
import { insertUser } from '#main/store/records/users/user-writer'
import { readOrMakeAuditKey } from '#main/use-cases/audit/audit-key'
import { sealNext } from '#main/use-cases/audit/seal-next'
import { createToken } from '#main/use-cases/users/tokens'
import { foundOrganization } from '#main/use-cases/organizations/organizations'
import { plainValues } from '#main/use-cases/expenses/create-expense'
import { resolveTags } from '#main/use-cases/tags/resolve-tags'

/** What the load needs to know of a seeded folder. */
export interface Seeded {
  readonly folder: string
  readonly token: string
  readonly organization_id: number
  readonly admin_id: number
  readonly receiver_ids: readonly number[]
  readonly expenses: number
}

const perTransaction = 2000
const statuses = [
  'awaiting_analysis',
  'awaiting_analysis',
  'awaiting_analysis',
  'analyzing',
  'analyzed',
  'pending',
  'rejected',
  'liquidated',
] as const
const words = ['Taxi', 'Hotel', 'Lunch', 'Flight', 'Train', 'Parking', 'Fuel', 'Dinner', 'Printer paper', 'Conference']
const places = ['São Paulo', 'Lisbon', 'Recife', 'Porto', 'Curitiba', 'Salvador']

/** The same numbers at every run: a linear congruential generator. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Random {
  readonly random: (below: number) => number
}
type People = Pick<Seeded, 'organization_id' | 'receiver_ids' | 'admin_id'>

/** Fills a folder through the writers that the program uses, many expenses a transaction; always the same ones. `isSealed`: its trail too, as a server would. */
export async function seed(folder: string, expenses: number, { isSealed = true } = {}): Promise<Seeded> {
  mkdirSync(folder, { recursive: true })
  const store = await Store.open(folder, { clock: systemClock, isOwner: true })
  const nobody = { user_id: 0, origin: 'bench', request_id: null, if_match: null }
  const profile = (name: string) => ({ name, email: null, default_currency: 'BRL', locale: 'en' as const, timezone: 'Etc/UTC' })
  const people = await store.transact(nobody, async (outer) => {
    const { organization, user, tx } = await foundOrganization(outer, { organization: 'Acme', admin: profile('Ada Admin') })
    const { token } = await createToken(tx, { user_id: user.id, description: 'bench' })
    const receiver_ids: number[] = []
    for (let index = 0; index < 200; index += 1) {
      const member = await insertUser(tx, profile(`Member Number${index}`))
      await insertMembership(tx, { organization_id: organization.id, user_id: member.id, role: 'member' })
      receiver_ids.push(member.id)
    }
    return { organization_id: organization.id, admin_id: user.id, token, receiver_ids }
  })
  const random = createRandom(42)
  const asAdmin = { ...nobody, user_id: people.admin_id }
  const reimbursement_ids = await store.transact(asAdmin, (tx) => addSettlements(tx, people, { random, expenses }))
  for (let done = 0; done < expenses; done += perTransaction)
    await store.transact(asAdmin, (tx) =>
      addExpenses(tx, people, { random, reimbursement_ids, count: Math.min(perTransaction, expenses - done), share: expenses / 2 - done }),
    )
  const key = await readOrMakeAuditKey(folder)
  // Each seal is a commit, after which lists are counted again.
  while (isSealed && (await sealNext(store, { key, clock: systemClock })) > 0);
  await store.close()
  return { folder, expenses, ...people }
}

/** A tenth as many advancements, a hundredth as many reimbursements and devolutions as expenses; answers the reimbursements. */
async function addSettlements(
  tx: Tx,
  { organization_id, receiver_ids, admin_id }: People,
  { random, expenses }: Random & { expenses: number },
): Promise<number[]> {
  const money = (most: number) => {
    const amount_minor = 100 + random(most)
    const parties = { payer_id: organization_id, receiver_id: receiver_ids[random(receiver_ids.length)] ?? admin_id }
    const amount = { amount_minor, amount_scaled: amount_minor * 100, currency: 'BRL' }
    return { ...parties, ...amount, responsible_user_id: admin_id, date: '2025-06-01T00:00:00Z' }
  }
  const created = (event: ActivityEvent, type: 'Advancement' | 'AdvancementDevolution' | 'Reimbursement', id: number) =>
    recordActivity(tx, { organization_id, subject: { type, id }, event })
  const ids: number[] = []
  for (let index = 0; index < expenses / 10; index += 1) {
    const values = { ...money(200_000), description: `Advance ${index}` }
    const advancement = await insertSettlement(tx, 'advancement', { values, tags: [] })
    await created('advancement_created', 'Advancement', advancement.id)
    if (index % 10 > 0) continue
    const devolution = await insertDevolution(tx, money(20_000))
    await created('advancement_devolution_created', 'AdvancementDevolution', devolution.id)
    const { id } = await insertSettlement(tx, 'reimbursement', { values: { ...money(200_000), description: null }, tags: [] })
    await created('reimbursement_created', 'Reimbursement', id)
    ids.push(id)
  }
  return ids
}

/** How a liquidated expense was paid: through advancement, or by a reimbursement. */
function settlementOf(approved_amount_minor: number, { random, reimbursement_ids }: Random & { reimbursement_ids: readonly number[] }) {
  const through = random(2) === 0
  return {
    approved_amount_minor,
    approved_amount_scaled: approved_amount_minor * 100,
    approved_amount_currency: 'BRL',
    liquidate_through_advancement: through ? (1 as const) : (0 as const),
    reimbursement_id: through ? null : (reimbursement_ids[random(reimbursement_ids.length)] ?? null),
  }
}

/** What the trail says of an expense that is not as a new one is: a verification compares the two. */
function decisionOf(status: (typeof statuses)[number], amount_minor: number): ActivityDetail[] {
  const moved: ActivityDetail = { attribute: 'status', from: 'awaiting_analysis', to: status }
  const approved: ActivityDetail = { attribute: 'approved_amount', from: null, to: amount_minor / 100, currency: 'BRL' }
  if (status === 'awaiting_analysis') return []
  return status === 'liquidated' ? [moved, approved] : [moved]
}

async function addExpenses(
  tx: Tx,
  { organization_id, receiver_ids, admin_id }: People,
  { random, reimbursement_ids, count, share }: Random & { reimbursement_ids: readonly number[]; count: number; share: number },
): Promise<void> {
  const payer = await tx.db.selectFrom('organizations').selectAll().where('id', '=', organization_id).executeTakeFirstOrThrow()
  const tags = await resolveTags(
    tx,
    payer,
    Array.from({ length: 40 }, (_, index) => `tag${index}`),
  )
  for (let index = 0; index < count; index += 1) {
    const amount_minor = 100 + random(100_000)
    const day = new Date(Date.UTC(2024, 0, 1 + random(730))).toISOString().slice(0, 10)
    // The newer half waits: what the writing cases move and approve.
    const status = index < share ? (statuses[random(statuses.length)] ?? 'pending') : 'awaiting_analysis'
    const values = {
      ...plainValues({ occurred_at: `${day}T00:00:00Z`, description: `${words[random(words.length)] ?? ''} ${random(10_000)}` }),
      location: random(2) === 0 ? null : (places[random(places.length)] ?? null),
      status,
      ...(status === 'liquidated' ? settlementOf(amount_minor, { random, reimbursement_ids }) : {}),
      payer_id: organization_id,
      receiver_id: receiver_ids[random(receiver_ids.length)] ?? admin_id,
      author_id: admin_id,
      currency: 'BRL',
      amount_minor,
      amount_scaled: amount_minor * 100,
    }
    const own = Array.from({ length: random(4) }, () => tags[random(tags.length)]).filter((tag) => tag !== undefined)
    const expense = await insertExpense(tx, values, [...new Set(own)])
    const subject = { type: 'Expense', id: expense.id } as const
    await recordActivity(tx, { organization_id, subject, event: 'expense_created', details: decisionOf(status, amount_minor) })
  }
}
