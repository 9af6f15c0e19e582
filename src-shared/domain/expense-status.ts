import { blockingLevel } from '#shared/domain/policies'
import { may } from '#shared/domain/permissions'
import { isAtLeast, type Role } from '#shared/domain/roles'

/** The eight statuses of an expense, in the order of lists and menus. Contract 3.1. */
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

/** The colours of statuses, with the contract's names. Contract 2.16 and 3.1; supplement 3, "Status colours". */
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
 * The caller's relation to an expense: their role in the payer organization, and whether they are its receiver. `kept_from`: the statuses to which
 * they may not move it; `stands_in`: they decide for a manager as a stand-in, and pay nothing (`domain/duties`). `is_closed`: the expense is in a
 * closed month (`domain/closing`).
 */
export type ExpenseRelation = {
  role: Role | undefined
  is_receiver: boolean
  kept_from?: readonly ExpenseStatus[]
  stands_in?: boolean
  is_closed?: boolean
}

/**
 * The values of an expense that decide its moves. `ignore_noncompliant`: the organization tolerates that it is noncompliant. `flag_level`: the
 * severity of its findings (`domain/policies`).
 */
export type MovableExpense = { status: ExpenseStatus; ignore_noncompliant: boolean | null; flag_level?: number | null }

/** Whether a policy blocks the approval of an expense: someone must first mark it noncompliant and tolerate that. */
export function isBlocked({ status, flag_level = null }: Pick<MovableExpense, 'status' | 'flag_level'>): boolean {
  return isUndecided(status) && flag_level !== null && flag_level >= blockingLevel
}

/** Whether a move is allowed, possible only for another role (403), or for no role (422). */
export type MoveOutcome = { kind: 'allowed' } | { kind: 'forbidden' } | { kind: 'not_offered' }

type Moves = { analyst: readonly ExpenseStatus[]; manager: readonly ExpenseStatus[]; receiver: readonly ExpenseStatus[] }

/** The moves of supplement 2, "Expense status moves", row by row; a manager also has an analyst's. */
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

/** The union of all relations: a move that it does not have, nobody has. */
const anybody: ExpenseRelation = { role: 'admin', is_receiver: true }

/**
 * The statuses to which this caller can move the expense, in the order of `expenseStatuses`. Contract 4.14, GET. A noncompliant expense does not
 * offer noncompliant, as that is not a change of status, though `decideMove` accepts it.
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

/** Whether anyone could make the move: decides between 403 and 422. Supplement 3, "Who is refused how". */
export function canAnyoneMove(from: ExpenseStatus, to: ExpenseStatus, ignore_noncompliant: boolean | null): boolean {
  return isAccepted({ status: from, ignore_noncompliant }, anybody, to)
}

/** Whether only a policy blocks the move. */
export function isBlockedMove(expense: MovableExpense, to: ExpenseStatus): boolean {
  return isBlocked(expense) && isBlockable(to) && canAnyoneMove(expense.status, to, expense.ignore_noncompliant)
}

/**
 * Decides a move by PUT status: an offered one, or noncompliant again by analysts and above, which only changes `ignore_noncompliant` (supplement 3,
 * "noncompliant → approved"). Contract 4.14, PUT.
 */
export function decideMove(expense: MovableExpense, relation: ExpenseRelation, to: ExpenseStatus): MoveOutcome {
  if (isAccepted(expense, relation, to)) return { kind: 'allowed' }
  return isAccepted(expense, anybody, to) ? { kind: 'forbidden' } : { kind: 'not_offered' }
}

/** Whether a status is final: the money is paid. */
export function isFinal(status: ExpenseStatus): boolean {
  return status === 'liquidated'
}

/** Whether a status comes before any decision: moving there clears decisions about policy. */
export function isUndecided(status: ExpenseStatus): boolean {
  return status === 'awaiting_analysis' || status === 'analyzing' || status === 'analyzed' || status === 'pending'
}

/** Whether a status is a decision, which applies only to what was seen. Supplement 3, "A decision holds for what was decided". */
export function holdsDecision(status: ExpenseStatus): boolean {
  return status === 'analyzed' || status === 'approved' || status === 'noncompliant'
}

/** Whether an expense may move to another organization: before its review begins. Supplement 3, as above. */
export function isMovable(status: ExpenseStatus): boolean {
  return status === 'awaiting_analysis' || status === 'pending'
}

/**
 * The shortest sequence of moves, each allowed for a manager, that returns an expense to an earlier state: undo at a remote without it. Empty if it
 * is there already, undefined if there is no way (as from liquidated).
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

/** The values that moves can store with a status: older rows may have kept those of a decision before a later review. */
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

/** Whether the move needs an `approved_amount`; approved → liquidated keeps the stored one. Contract 3.1; supplement 3. */
export function needsApprovedAmount(from: ExpenseStatus, to: ExpenseStatus): boolean {
  return to === 'approved' || (to === 'liquidated' && from === 'awaiting_analysis')
}

function isAccepted(expense: MovableExpense, relation: ExpenseRelation, to: ExpenseStatus): boolean {
  const isRepeated = expense.status === 'noncompliant' && to === 'noncompliant'
  if (isRepeated) return relation.is_closed !== true && may('expenses.move', relation) && isAtLeast(relation.role, 'analyst')
  return offeredStatuses(expense, relation).includes(to)
}
