import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { errorOf, type Pair, undoWrites, writePlans } from '../../records/expense/expense-writes'
import { failureText } from '../../api/failure-text'
import { ownWritesShown } from '../../api/own-writes'
import { notifyFailure } from '../../state/notices'
import type { OfferUndo } from '../../ui/feedback/use-undo'
import { foreseen, type ReviewDecision, stepsOf } from '../../records/expense/deciding/decision'

const approve: ReviewDecision = { kind: 'approve' }

/** Approving the expenses of an accountability. */
export type Approvals = {
  /** An expense as it will be once pending writes have arrived. */
  readonly asActed: (expense: Expense) => Expense
  /** Whether all of them are approved now. */
  readonly approve: (expenses: readonly Expense[]) => Promise<boolean>
}

/** Approves expenses, shows it at once, says the result, and takes it back when asked to. */
export function useApprovals(offerUndo: OfferUndo, accountabilityUid: string): Approvals {
  const { t } = useTranslation('accountabilities')
  const [acted, setActed] = useState<ReadonlyMap<number, Expense>>(new Map())
  const write = async (expenses: readonly Expense[]) => {
    const uids = expenses.map(({ uid }) => uid)
    let pairs: readonly Pair[] = []
    const writing = writePlans(uids, () => expenses.map((seen) => ({ seen, steps: () => stepsOf(approve) })))
    const undo = () => undoWrites(uids, () => pairs)
    const isAnyDone = writing.then((outcomes) => {
      pairs = outcomes.flatMap((outcome) => (outcome.kind === 'done' ? [{ before: outcome.before, after: outcome.expense }] : []))
      return pairs.length > 0
    })
    offerUndo(t('approve.done', { count: expenses.length }), undo, { after: isAnyDone, about: accountabilityUid })
    const errors = (await writing).flatMap((outcome) => errorOf(outcome) ?? [])
    if (errors[0]) notifyFailure({ title: t('approve.failed', { count: errors.length }), message: failureText(errors[0]) })
    await ownWritesShown()
    const settled = new Set(expenses.map(({ id }) => id))
    setActed((before) => new Map([...before].filter(([id]) => !settled.has(id))))
    return pairs.length === expenses.length
  }
  return {
    asActed: (expense) => acted.get(expense.id) ?? expense,
    approve: (expenses) => {
      setActed((before) => new Map([...before, ...expenses.map((expense) => [expense.id, foreseen(approve, expense)] as const)]))
      return write(expenses)
    },
  }
}
