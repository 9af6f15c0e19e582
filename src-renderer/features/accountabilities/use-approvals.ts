import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { accountabilityKeys } from '../../api/accountabilities'
import { expenseKeys } from '../../api/expenses'
import { failureText } from '../../api/failure-text'
import { notifyFailure } from '../../state/notices'
import type { OfferUndo } from '../../ui/use-undo'
import { approvalOf, type ExpenseWrites, foreseen, returnOf } from './approvals'
import { writeExpenses, type Written } from './write-expenses'

/** Approving the expenses of an accountability. */
export type Approvals = {
  /** An expense as it stands once what is on its way has arrived. */
  readonly asActed: (expense: Expense) => Expense
  readonly approve: (expenses: readonly Expense[]) => void
}

/** Approves expenses, shows it at once, says what came of it, and takes it back when asked to. */
export function useApprovals(offerUndo: OfferUndo): Approvals {
  const { t } = useTranslation('accountabilities')
  const client = useQueryClient()
  const [acted, setActed] = useState<ReadonlyMap<number, Expense>>(new Map())
  const run = async (writes: readonly ExpenseWrites[], tell: (written: Written) => void) => {
    try {
      const written = await writeExpenses(writes)
      tell(written)
      const [reason] = written.reasons
      if (reason !== undefined) notifyFailure({ title: t('approve.failed', { count: written.reasons.length }), message: reason })
    } catch (error) {
      notifyFailure({ title: t('approve.failed', { count: writes.length }), message: failureText(error) })
    }
    await Promise.all([
      client.invalidateQueries({ queryKey: accountabilityKeys.all }),
      client.invalidateQueries({ queryKey: expenseKeys.all }),
    ])
    const settled = new Set(writes.map(({ expense }) => expense.id))
    setActed((before) => new Map([...before].filter(([id]) => !settled.has(id))))
  }
  const undo = async (done: Written['done']) => {
    let count = 0
    await run(
      done.map(({ before, after }) => returnOf(before, after)),
      ({ done: back }) => {
        count = back.length
      },
    )
    return count > 0 ? undefined : ''
  }
  return {
    asActed: (expense) => acted.get(expense.id) ?? expense,
    approve: (expenses) => {
      setActed((before) => new Map([...before, ...expenses.map((expense) => [expense.id, foreseen(expense)] as const)]))
      void run(expenses.map(approvalOf), ({ done }) => {
        if (done.length > 0) offerUndo(t('approve.done', { count: done.length }), () => undo(done))
      })
    },
  }
}
