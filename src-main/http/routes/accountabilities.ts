import type { Row } from '#db/schema'
import { type Accountability, type AccountabilityLiquidation, accountabilityRoutes } from '#shared/contract/accountabilities'
import type { Condition } from '#shared/contract/filters'
import { offeredAccountabilityStatuses } from '#shared/domain/accountability-status'
import type { LiquidationGroup } from '#shared/domain/liquidation'
import { fromMinor } from '#shared/domain/money'
import { may } from '#shared/domain/permissions'
import { translate } from '#shared/i18n/translations'
import { accountability } from '#shared/records/accountability'
import { listActivitiesOf } from '#main/store/records/conversations/activity-reader'
import { listExpenses } from '#main/store/records/expenses/expense-reader'
import { findRole } from '#main/store/records/organizations/membership-reader'
import {
  type AccountabilityTotal,
  listAccountabilities,
  listAccountabilitySums,
  listExpenseIdsOf,
  listJoinedOf,
  listSeenExpenseIds,
} from '#main/store/records/settlements/accountability-reader'
import { listBalancesBetween } from '#main/store/records/settlements/balance-reader'
import { getAudience } from '#main/store/sync/audience'
import { etagOf } from '#main/use-cases/access/preconditions'
import {
  createAccountability,
  deleteAccountability,
  getVisibleAccountability,
  updateAccountability,
} from '#main/use-cases/accountabilities/accountabilities'
import { changeAccountabilityStatus } from '#main/use-cases/accountabilities/change-accountability-status'
import { type AccountabilityPlan, type ApprovedExpense, planAccountability } from '#main/use-cases/accountabilities/plan-accountability'
import { type Context, type Endpoint, type ListRequest, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { toActivities } from '../representations/activities'
import { toExpenses } from '../representations/expenses'
import { loadPeople, toUserParty } from '../representations/people'
import { loadParties, memberLinks, toRecord } from '../representations/records'

type Stored = Row<'accountabilities'>

/** Accountabilities in the contract's form (2.7); reads everything they embed together. */
async function toAccountabilities(context: Context, rows: readonly Stored[]): Promise<Accountability[]> {
  const audience = await getAudience(context.reader, context.caller.user_id)
  const expense_ids = await listSeenExpenseIds(context.reader, rows, audience)
  const sums = await listAccountabilitySums(context.reader, rows, audience)
  const people = await loadParties(context, accountability, { rows })
  return rows.map((row) => {
    const { claimed = [], approved = [], paid = [] } = sums.get(row.id) ?? {}
    return {
      ...toRecord(accountability, row, people),
      expense_ids: expense_ids.get(row.id) ?? [],
      totals: claimed.map(toTotal),
      approved_totals: approved.map(toTotal),
      paid_totals: paid.map(toTotal),
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
async function toOneAccountability(context: Context, row: Stored): Promise<Accountability> {
  const [shown] = await toAccountabilities(context, [row])
  if (!shown) throw new Error('An accountability has no representation.')
  return shown
}

/** The effect of finishing an accountability, in major units. */
async function toLiquidation(
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

async function member(context: Context, row: Row<'accountabilities'>) {
  return { body: await toOneAccountability(context, row), etag: etagOf(row) }
}

function getVisible({ reader, caller }: Context, id: number) {
  return getVisibleAccountability(reader, { id, user_id: caller.user_id })
}

/** A page of the expenses that the caller may see and that match these conditions and the request's. */
async function expensePage(context: Context, list: ListRequest, conditions: readonly Condition[]) {
  const filter = { ...list.filter, conditions: [...list.filter.conditions, ...conditions] }
  const asked = { filter, sort: list.sort, ...windowOf(list) }
  const { rows, frame, next } = toPage(list, await listExpenses(context.reader, context.caller.user_id, asked))
  return { body: { ...frame, expenses: await toExpenses(context, rows) }, next }
}

const isId = { attribute: 'id', kind: 'integer' } as const

const memberEndpoints: Endpoint[] = [
  query(accountabilityRoutes.list, async (context, { list }) => {
    const { rows, frame, next } = toPage(
      list,
      await listAccountabilities(context.reader, context.caller.user_id, { ...list, ...windowOf(list) }),
    )
    return { body: { ...frame, accountabilities: await toAccountabilities(context, rows) }, next }
  }),
  mutation(accountabilityRoutes.create, async (context, { body }) => member(context, await createAccountability(context.tx, body))),
  query(accountabilityRoutes.show, async (context, { params: { id } }) => member(context, (await getVisible(context, id)).accountability)),
  ...[accountabilityRoutes.replace, accountabilityRoutes.update].map((route) =>
    mutation(route, async (context, { params, body }) => member(context, await updateAccountability(context.tx, params.id, body))),
  ),
  mutation(accountabilityRoutes.destroy, async ({ tx }, { params }) => {
    await deleteAccountability(tx, params.id)
    return { body: null }
  }),
]

const statusEndpoints: Endpoint[] = [
  query(accountabilityRoutes.listStatuses, async (context, { params: { id } }) => {
    const { accountability, relation } = await getVisible(context, id)
    const toEntry = (slug: (typeof accountability)['status']) => ({
      slug,
      name: translate(context.locale, `activities:accountability_status.${slug}`),
    })
    return { body: { status: offeredAccountabilityStatuses(accountability, relation).map(toEntry) } }
  }),
  mutation(accountabilityRoutes.changeStatus, async (context, { params, body }) =>
    member(context, await changeAccountabilityStatus(context.tx, params.id, body.status)),
  ),
  query(accountabilityRoutes.showLiquidation, async (context, { params: { id } }) => {
    const { accountability } = await getVisible(context, id)
    const audience = await getAudience(context.reader, context.caller.user_id)
    const plan = await planAccountability(context.reader, accountability, { audience })
    return { body: await toLiquidation(context, accountability.payer_id, plan) }
  }),
]

const expenseEndpoints: Endpoint[] = [
  query(accountabilityRoutes.listExpenses, async (context, { params: { id }, list }) => {
    await getVisible(context, id)
    const values = (await listExpenseIdsOf(context.reader, [id])).get(id) ?? []
    return expensePage(context, list, [{ ...isId, predicate: 'in', values }])
  }),
  query(accountabilityRoutes.listJoinable, async (context, { query: { payer_id, receiver_id }, list }) => {
    const joined = await listJoinedOf(context.reader, { payer_id, receiver_id })
    return expensePage(context, list, [
      { attribute: 'payer_id', kind: 'integer', predicate: 'eq', values: [payer_id] },
      { attribute: 'receiver_id', kind: 'integer', predicate: 'eq', values: [receiver_id] },
      { attribute: 'status', kind: 'text', predicate: 'not_in', values: ['liquidated', 'rejected'] },
      { ...isId, predicate: 'not_in', values: joined },
    ])
  }),
]

/** Accountabilities, their status changes, expenses and audit trail (contract 4.5, supplement 2). */
export const accountabilityEndpoints: Endpoint[] = [
  ...memberEndpoints,
  ...statusEndpoints,
  ...expenseEndpoints,
  query(accountabilityRoutes.listActivities, async (context, { params: { id }, query: { emoji_in_unicode: isUnicode = false }, list }) => {
    await getVisible(context, id)
    const subject = { type: 'Accountability', id } as const
    const { rows, frame, next } = toPage(list, await listActivitiesOf(context.reader, { subject, ...windowOf(list) }))
    return { body: { ...frame, activities: await toActivities(context, rows, { isUnicode }) }, next }
  }),
]
