import { blockingLevel } from '#shared/domain/policies'
import { may } from '#shared/domain/permissions'
import { isAtLeast, type Role } from '#shared/domain/roles'

/** The eight statuses of an expense, in the order in which lists and menus show them. Contract 3.1. */
export const expenseStatuses = [
  'awaiting_analysis',
  'analyzing',
  'analyzed',
  'pending',
  'approved',
  'liquidated',
  'rejected',
  'noncompliant',
] as const

/** The status of an expense. */
export type ExpenseStatus = (typeof expenseStatuses)[number]

const text_color = '#FFFFFF'

/** The colours of every status entry, as the wire names them. Contract 2.16 and 3.1; supplement 3, "Status colours". */
export const statusColors: Readonly<Record<ExpenseStatus, { background_color: string; text_color: string }>> = {
  awaiting_analysis: { background_color: '#939393', text_color },
  analyzing: { background_color: '#3D3D3D', text_color },
  analyzed: { background_color: '#0DCCB3', text_color },
  pending: { background_color: '#F39C0F', text_color },
  approved: { background_color: '#27AE60', text_color },
  liquidated: { background_color: '#529ECC', text_color },
  rejected: { background_color: '#C0392A', text_color },
  noncompliant: { background_color: '#690000', text_color },
}

/**
 * What the caller is to an expense: their role in the payer organization, and whether they are its receiver. `kept_from`: the statuses to
 * which its duties do not let them move it; `stands_in`: they decide for a manager for whom they stand in, and pay nothing
 * (`domain/duties`). `is_closed`: the expense belongs to a closed month (`domain/closing`).
 */
export type ExpenseRelation = {
  role: Role | undefined
  is_receiver: boolean
  kept_from?: readonly ExpenseStatus[]
  stands_in?: boolean
  is_closed?: boolean
}

/**
 * What of an expense decides its moves. `ignore_noncompliant`: the organization tolerates that it is noncompliant. `flag_level`: how much
 * weighs what its policies find (`domain/policies`).
 */
export type MovableExpense = { status: ExpenseStatus; ignore_noncompliant: boolean | null; flag_level?: number | null }

/** Whether a policy keeps an expense from being approved: someone has to mark it noncompliant and tolerate that first. */
export function isBlocked({ status, flag_level = null }: Pick<MovableExpense, 'status' | 'flag_level'>): boolean {
  return isUndecided(status) && flag_level !== null && flag_level >= blockingLevel
}

/** Whether a move is allowed, one that only another role could make (403), or one that no role could (422). */
export type MoveOutcome = { kind: 'allowed' } | { kind: 'forbidden' } | { kind: 'not_offered' }

type Moves = { analyst: readonly ExpenseStatus[]; manager: readonly ExpenseStatus[]; receiver: readonly ExpenseStatus[] }

/** Supplement 2, "Expense status moves", row by row; a manager also has what an analyst has. */
const moves: Readonly<Record<ExpenseStatus, Moves>> = {
  awaiting_analysis: {
    analyst: ['analyzing', 'analyzed', 'pending', 'noncompliant'],
    manager: ['approved', 'rejected', 'liquidated'],
    receiver: [],
  },
  analyzing: { analyst: ['awaiting_analysis', 'analyzed', 'pending', 'noncompliant'], manager: ['approved', 'rejected'], receiver: [] },
  analyzed: { analyst: ['analyzing', 'pending', 'noncompliant'], manager: ['approved', 'rejected'], receiver: [] },
  pending: { analyst: ['analyzing', 'noncompliant'], manager: ['rejected'], receiver: ['awaiting_analysis'] },
  noncompliant: { analyst: ['analyzing', 'pending'], manager: ['approved', 'rejected'], receiver: [] },
  approved: { analyst: [], manager: ['analyzing', 'rejected', 'liquidated'], receiver: [] },
  rejected: { analyst: ['analyzing'], manager: [], receiver: ['awaiting_analysis'] },
  liquidated: { analyst: [], manager: [], receiver: [] },
}

/** The union of all relations: a move that it is not offered is offered to nobody. */
const anybody: ExpenseRelation = { role: 'admin', is_receiver: true }

/**
 * The statuses the expense can change to when this caller moves it, in the order of `expenseStatuses`. Contract 4.14, GET.
 * A noncompliant expense does not offer noncompliant, which is no change of status, though `decideMove` accepts it.
 */
export function offeredStatuses(expense: MovableExpense, relation: ExpenseRelation): ExpenseStatus[] {
  const { analyst, manager, receiver } = moves[expense.status]
  const isTolerated = expense.status !== 'noncompliant' || expense.ignore_noncompliant === true
  if (relation.is_closed === true || !may('expenses.move', relation)) return []
  return expenseStatuses.filter(
    (to) =>
      (to !== 'approved' || isTolerated) &&
      (!isBlockable(to) || !isBlocked(expense)) &&
      !relation.kept_from?.includes(to) &&
      ((isAtLeast(relation.role, 'analyst') && analyst.includes(to)) ||
        (isManager(relation, to) && manager.includes(to)) ||
        (relation.is_receiver && receiver.includes(to))),
  )
}

function isManager({ role, stands_in }: ExpenseRelation, to: ExpenseStatus): boolean {
  return isAtLeast(role, 'manager') || (stands_in === true && to !== 'liquidated')
}

function isBlockable(to: ExpenseStatus): boolean {
  return to === 'approved' || to === 'liquidated'
}

/** Whether anyone at all could make the move: this separates a 403 from a 422. Supplement 3, "Who is refused how". */
export function canAnyoneMove(from: ExpenseStatus, to: ExpenseStatus, ignore_noncompliant: boolean | null): boolean {
  return isAccepted({ status: from, ignore_noncompliant }, anybody, to)
}

/** Whether nothing but a policy is in the way of the move. */
export function isBlockedMove(expense: MovableExpense, to: ExpenseStatus): boolean {
  return isBlocked(expense) && isBlockable(to) && canAnyoneMove(expense.status, to, expense.ignore_noncompliant)
}

/**
 * Decides a move requested by PUT status: an offered one, or noncompliant again from analysts and above, which only
 * changes the recorded `ignore_noncompliant` (supplement 3, "noncompliant → approved"). Contract 4.14, PUT.
 */
export function decideMove(expense: MovableExpense, relation: ExpenseRelation, to: ExpenseStatus): MoveOutcome {
  if (isAccepted(expense, relation, to)) return { kind: 'allowed' }
  return isAccepted(expense, anybody, to) ? { kind: 'forbidden' } : { kind: 'not_offered' }
}

/** Whether nothing leads back from a status: the money has gone. */
export function isFinal(status: ExpenseStatus): boolean {
  return status === 'liquidated'
}

/** Whether a status comes before any decision: a move there takes back what was decided about policy. */
export function isUndecided(status: ExpenseStatus): boolean {
  return status === 'awaiting_analysis' || status === 'analyzing' || status === 'analyzed' || status === 'pending'
}

/** Whether a status says what someone decided: it holds for what they saw. Supplement 3, "A decision holds for what was decided". */
export function holdsDecision(status: ExpenseStatus): boolean {
  return status === 'analyzed' || status === 'approved' || status === 'noncompliant'
}

/** Whether an expense may go to another organization: before anyone looks at it. Supplement 3, as above. */
export function isMovable(status: ExpenseStatus): boolean {
  return status === 'awaiting_analysis' || status === 'pending'
}

/**
 * The shortest sequence of moves, each accepted from a manager, that brings an expense from one state back to another: undo at a remote that knows none.
 * Empty when it is there already, undefined when no way leads back (as from liquidated).
 */
export function movesBack(from: MovableExpense, to: MovableExpense): MovableExpense[] | undefined {
  const wanted = keyOf({ status: to.status, ignore_noncompliant: recordable(to) })
  const ways = new Map([[keyOf(from), { at: from, way: [] as MovableExpense[] }]])
  for (const { at, way } of ways.values()) {
    if (keyOf({ status: at.status, ignore_noncompliant: recordable(at) }) === wanted) return way
    for (const next of statesAfter(at)) {
      if (!ways.has(keyOf(next))) ways.set(keyOf(next), { at: next, way: [...way, next] })
    }
  }
  return undefined
}

const keyOf = ({ status, ignore_noncompliant }: MovableExpense) => `${status} ${String(ignore_noncompliant)}`

/** What moves can record with a status: older rows may have kept what was decided before a later review. */
function recordable({ status, ignore_noncompliant }: MovableExpense): boolean | null {
  if (isUndecided(status)) return null
  if (status === 'noncompliant') return ignore_noncompliant === true
  return status === 'approved' && ignore_noncompliant === false ? null : ignore_noncompliant
}

function statesAfter(expense: MovableExpense): MovableExpense[] {
  const offered = offeredStatuses(expense, { role: 'manager', is_receiver: false })
  const accepted: ExpenseStatus[] = expense.status === 'noncompliant' ? [...offered, 'noncompliant'] : offered
  return accepted.flatMap((status) => {
    const records = status === 'noncompliant' ? [true, false] : [isUndecided(status) ? null : expense.ignore_noncompliant]
    return records.map((ignore_noncompliant) => ({ status, ignore_noncompliant }))
  })
}

/** Whether the move needs an `approved_amount`; approved → liquidated keeps the recorded one. Contract 3.1; supplement 3. */
export function needsApprovedAmount(from: ExpenseStatus, to: ExpenseStatus): boolean {
  return to === 'approved' || (to === 'liquidated' && from === 'awaiting_analysis')
}

function isAccepted(expense: MovableExpense, relation: ExpenseRelation, to: ExpenseStatus): boolean {
  const isRepeated = expense.status === 'noncompliant' && to === 'noncompliant'
  if (isRepeated) return relation.is_closed !== true && may('expenses.move', relation) && isAtLeast(relation.role, 'analyst')
  return offeredStatuses(expense, relation).includes(to)
}
