import type { Row } from '#db/schema'
import type { Accountability, AccountabilityLiquidation } from '#shared/contract/accountabilities'
import type { LiquidationGroup } from '#shared/domain/liquidation'
import { fromMinor } from '#shared/domain/money'
import { may } from '#shared/domain/permissions'
import { accountability } from '#shared/records/accountability'
import { type AccountabilityTotal, listAccountabilitySums, listSeenExpenseIds } from '#main/store/records/settlements/accountability-reader'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { listBalancesBetween } from '#main/store/records/settlements/balance-reader'
import { getAudience } from '#main/store/sync/audience'
import type { AccountabilityPlan, ApprovedExpense } from '#main/use-cases/accountabilities/plan-accountability'
import type { Context } from '../endpoint'
import { memberLinks } from './links'
import { loadPeople, toUserParty } from './people'
import { loadParties, toRecord } from './records'

type Stored = Row<'accountabilities'>

/** Accountabilities in the contract's form (2.7); reads everything they embed together. */
export async function toAccountabilities(context: Context, rows: readonly Stored[]): Promise<Accountability[]> {
  const audience = await getAudience(context.reader, context.caller.user_id)
  const expense_ids = await listSeenExpenseIds(context.reader, rows, audience)
  const sums = await listAccountabilitySums(context.reader, rows, audience)
  const people = await loadParties(context, accountability, { rows })
  return rows.map((row) => {
    const { claimed = [], approved = [], paid = [] } = sums.get(row.id) ?? {}
    return {
      ...toRecord(accountability, row, people),
      expense_ids: expense_ids.get(row.id) ?? [],
      ...{ totals: claimed.map(toTotal), approved_totals: approved.map(toTotal), paid_totals: paid.map(toTotal) },
      _links: linksOf(row.id),
    }
  })
}

function toTotal({ currency, amount_minor, count }: AccountabilityTotal) {
  return { currency, amount: fromMinor(amount_minor, currency), count }
}

function linksOf(id: number) {
  const href = `/accountability/${id}`
  return [
    ...memberLinks(href),
    { rel: 'status', method: 'GET', href: `${href}/status` },
    { rel: 'activities', method: 'GET', href: `${href}/activities` },
  ]
}

/** One accountability. */
export async function toOneAccountability(context: Context, row: Stored): Promise<Accountability> {
  const [shown] = await toAccountabilities(context, [row])
  if (!shown) throw new Error('An accountability has no representation.')
  return shown
}

/** The effect of finishing an accountability, in major units. */
export async function toLiquidation(
  context: Context,
  payer_id: number,
  { plan: { reimbursements, advancements }, not_approved_ids }: AccountabilityPlan,
): Promise<AccountabilityLiquidation> {
  const people = await loadPeople(context, { user_ids: [...reimbursements, ...advancements].map(({ receiver_id }) => receiver_id) })
  const toGroup = ({ receiver_id, currency, amount_minor, expenses }: LiquidationGroup<ApprovedExpense>) => ({
    receiver: toUserParty(people, receiver_id),
    currency,
    amount: fromMinor(amount_minor, currency),
    count: expenses.length,
  })
  const overdraws = await overdraftsOf(context, payer_id, advancements)
  return {
    reimbursements: reimbursements.map(toGroup),
    advancements: advancements.map((group, index) => ({ ...toGroup(group), overdraws: overdraws[index] ?? null })),
    not_approved_ids: [...not_approved_ids],
  }
}

/** By how much each group exceeds the advance that is left, in major units; null if the caller may not see the balance. */
async function overdraftsOf(
  { reader, caller: { user_id } }: Context,
  payer_id: number,
  groups: ReadonlyArray<LiquidationGroup<ApprovedExpense>>,
): Promise<Array<number | null>> {
  const role = await findRole(reader, { organization_id: payer_id, user_id })
  const overdraftOf = async ({ receiver_id, currency, amount_minor }: LiquidationGroup<ApprovedExpense>) => {
    if (!may('balances.read', { role, is_receiver: receiver_id === user_id })) return null
    const balances = await listBalancesBetween(reader, { payer_id, receiver_id })
    const left = balances.find((balance) => balance.currency === currency)?.amount_minor ?? 0
    return fromMinor(Math.max(0, amount_minor - Math.max(0, left)), currency)
  }
  return Promise.all(groups.map(overdraftOf))
}
