import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { ownWritesShown } from '../../api/own-writes'
import { actOnRows, plainWords } from '../../records/expense/deciding/act'
import { shownOf, useExpenseStore } from '../../records/expense/expense-store'
import { notifyDone, notifyFailure } from '../../state/notices'

/** What is done on this screen is undone by its keys. */
export const undoArea = 'accountability-undo'

/** Approving the expenses of an accountability. */
export type Approvals = {
  /** An expense as it will be once pending writes have arrived. */
  readonly asActed: (expense: Expense) => Expense
  /** Whether all of them are approved now. */
  readonly approve: (expenses: readonly Expense[]) => Promise<boolean>
}

/** Approves expenses, shows it at once, says the result, and takes it back when asked to. */
export function useApprovals(accountabilityUid: string): Approvals {
  const { t } = useTranslation('accountabilities')
  const rows = useExpenseStore((state) => state.rows)
  const words = plainWords((_act, count) => t('approve.done', { count }))
  return {
    asActed: (expense) => shownOf(rows, expense),
    approve: async (expenses) => {
      const act = { kind: 'approve' } as const
      const result = await actOnRows({ words, area: undoArea, about: accountabilityUid }, { act, expenses })
      const { done, met, failed, reasons, actId } = result
      if (done.length > 0) notifyDone(words.done(act, done.length), { actId })
      if (failed.length > 0) notifyFailure({ title: t('approve.failed', { count: failed.length }), message: reasons[0] ?? '' })
      await ownWritesShown()
      return done.length + met === expenses.length
    },
  }
}
