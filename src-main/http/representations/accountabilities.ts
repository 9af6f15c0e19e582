import type { Row } from '#db/schema'
import type { Accountability, AccountabilityLiquidation } from '#shared/contract/accountabilities'
import type { LiquidationGroup } from '#shared/domain/liquidation'
import { fromMinor } from '#shared/domain/money'
import { accountability } from '#shared/records/accountability'
import { listAccountabilityTotals, listExpenseIdsOf } from '#main/store/records/settlements/accountability-reader'
import { getAudience } from '#main/store/sync/audience'
import type { AccountabilityPlan, ApprovedExpense } from '#main/use-cases/accountabilities/plan-accountability'
import type { Context } from '../endpoint'
import { memberLinks } from './links'
import { loadPeople, toUserParty } from './people'
import { loadParties, toRecord } from './records'

type Stored = Row<'accountabilities'>

/** Accountabilities as the contract shows them (2.7), with all they embed read together. */
export async function toAccountabilities(context: Context, rows: readonly Stored[]): Promise<Accountability[]> {
  const ids = rows.map(({ id }) => id)
  const expense_ids = await listExpenseIdsOf(context.reader, ids)
  const audience = await getAudience(context.reader, context.caller.user_id)
  const totals = await listAccountabilityTotals(context.reader, rows, audience)
  const people = await loadParties(context, accountability, { rows })
  return rows.map((row) => ({
    ...toRecord(accountability, row, people),
    expense_ids: expense_ids.get(row.id) ?? [],
    totals: (totals.get(row.id) ?? []).map(({ currency, amount_minor, count }) => ({
      currency,
      amount: fromMinor(amount_minor, currency),
      count,
    })),
    _links: linksOf(row.id),
  }))
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

/** What finishing an accountability would do, in major units. */
export async function toLiquidation(
  context: Context,
  { plan: { reimbursements, advancements }, not_approved_ids }: AccountabilityPlan,
): Promise<AccountabilityLiquidation> {
  const people = await loadPeople(context, {
    user_ids: [...reimbursements, ...advancements].map(({ receiver_id }) => receiver_id),
  })
  const toGroup = ({ receiver_id, currency, amount_minor, expenses }: LiquidationGroup<ApprovedExpense>) => ({
    receiver: toUserParty(people, receiver_id),
    currency,
    amount: fromMinor(amount_minor, currency),
    count: expenses.length,
  })
  return {
    reimbursements: reimbursements.map(toGroup),
    advancements: advancements.map(toGroup),
    not_approved_ids: [...not_approved_ids],
  }
}
