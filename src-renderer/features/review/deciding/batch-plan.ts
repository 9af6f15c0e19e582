import type { Expense, ExpenseSummary } from '#shared/contract/expenses'
import { countedAmount } from '#shared/domain/counted-amount'
import {
  canAnyoneMove,
  isBlockedMove,
  expenseStatuses,
  offeredStatuses,
  type ExpenseRelation,
  type ExpenseStatus,
} from '#shared/domain/expense-status'
import { fromMinor, parseAmount, sumByCurrency } from '#shared/domain/money'
import type { Money } from '../../../ui/values/format'

/**
 * Why an expense is not moved: it already has the status, a policy blocks it, no role could move it there, only another role could, or the
 * caller's role could, but the organization's separation of duties leaves it to someone else, or its month is closed.
 */
export type SkipKind = 'already' | 'blocked' | 'not_offered' | 'forbidden' | 'separated' | 'closed'

/** Expenses of one status that a batch leaves out. */
export type Skipped = { readonly kind: SkipKind; readonly status: ExpenseStatus; readonly count: number }

/** What a batch will do. `totals`: what the expenses count for, in major units, by currency. */
export type BatchPlan = {
  readonly count: number
  readonly totals: readonly Money[]
  readonly skipped: readonly Skipped[]
  readonly statuses: readonly ExpenseStatus[]
}

type Counted = {
  readonly status: ExpenseStatus
  readonly ignore_noncompliant: boolean | null
  readonly flag_level: number | null
  readonly count: number
  readonly totals: readonly Money[]
}

/** What decides a plan: where the expenses are to go, and who the caller is to them. */
export type PlanRule = { readonly target: ExpenseStatus; readonly relation: ExpenseRelation }

/** Whether an expense can be moved there by this caller, or why not. */
export function judgeMove(
  expense: Pick<Expense, 'status' | 'ignore_noncompliant' | 'flag_level'>,
  { target, relation }: PlanRule,
): 'allowed' | SkipKind {
  if (offeredStatuses(expense, relation).includes(target)) return 'allowed'
  if (expense.status === target) return 'already'
  if (relation.is_closed === true) return 'closed'
  if (isBlockedMove(expense, target)) return 'blocked'
  if (offeredStatuses(expense, { ...relation, kept_from: [] }).includes(target)) return 'separated'
  return canAnyoneMove(expense.status, target, expense.ignore_noncompliant) ? 'forbidden' : 'not_offered'
}

/** Adds amounts of major units up, exactly, by currency; `sign` -1 takes away. */
export function addTotals(parts: Iterable<Money & { sign?: 1 | -1 }>): Money[] {
  const minor = [...parts].map(({ amount, currency, sign = 1 }) => {
    const parsed = parseAmount(amount, currency)
    return { currency, amount_minor: parsed.kind === 'ok' ? sign * parsed.amount_minor : 0 }
  })
  return sumByCurrency(minor)
    .filter(({ amount_minor }) => amount_minor !== 0)
    .map(({ currency, amount_minor }) => ({ currency, amount: fromMinor(amount_minor, currency) }))
}

function plan(parts: readonly Counted[], rule: PlanRule): BatchPlan {
  const judged = parts.filter(({ count }) => count > 0).map((part) => ({ ...part, outcome: judgeMove(part, rule) }))
  const acting = judged.filter(({ outcome }) => outcome === 'allowed')
  const skipped = new Map<string, Skipped>()
  for (const { outcome, status, count } of judged) {
    if (outcome === 'allowed') continue
    const key = `${outcome} ${status}`
    skipped.set(key, { kind: outcome, status, count: count + (skipped.get(key)?.count ?? 0) })
  }
  return {
    count: acting.reduce((sum, { count }) => sum + count, 0),
    totals: addTotals(acting.flatMap(({ totals }) => totals)),
    skipped: [...skipped.values()].toSorted((a, b) => b.count - a.count),
    statuses: expenseStatuses.filter((status) => acting.some((part) => part.status === status)),
  }
}

/** The plan for expenses that are all known. */
export function planForRows(rows: readonly Expense[], rule: PlanRule): BatchPlan {
  return plan(
    rows.map((expense) => ({
      status: expense.status,
      ignore_noncompliant: expense.ignore_noncompliant,
      flag_level: expense.flag_level,
      count: 1,
      totals: [countedAmount(expense)],
    })),
    rule,
  )
}

/**
 * The plan for all matches, from their counts and sums by status, without the expenses in `except`. A noncompliant
 * expense counts as not tolerated, and none as blocked: only the expense itself says so, and the server decides again.
 */
export function planForAll(summary: ExpenseSummary, except: readonly Expense[], rule: PlanRule): BatchPlan {
  const parts = expenseStatuses.map((status): Counted => {
    const group = summary.groups.find(({ key }) => key === status)
    const out = except.filter((expense) => expense.status === status)
    const less = out.map((expense) => ({ ...countedAmount(expense), sign: -1 as const }))
    return {
      status,
      ignore_noncompliant: null,
      flag_level: null,
      count: (group?.count ?? 0) - out.length,
      totals: addTotals([...(group?.totals ?? []), ...less]),
    }
  })
  return plan(parts, rule)
}
