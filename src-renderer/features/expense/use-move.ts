import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { isAtLeast } from '#shared/domain/roles'
import { failureText } from '../../api/failure-text'
import { expenseArea, stepsBack } from '../../records/expense/expense-moves'
import { notifyDone } from '../../state/notices'
import { offerUndo } from '../../state/undo-stack'
import { now } from '../../ui/values/clock'
import type { ExpenseAccess } from './expense-access'
import { useMoveExpense, useUndoMove, type Move } from './expense-writes'

/** Makes a move, says so, and offers the way back where the table of moves has one. */
export function useMove(expense: Expense, { relation }: ExpenseAccess, onDone: () => void) {
  const { t } = useTranslation('expense')
  const { mutate, isPending, error, reset } = useMoveExpense()
  const undo = useUndoMove()
  const move = (wanted: Move, onStored?: () => void) =>
    mutate(
      { seen: expense, move: wanted },
      {
        onSuccess: (after) => {
          onStored?.()
          onDone()
          if (!after) return
          const label = t('moves.done', { status: t(`status:${after.status}`) })
          const canReturn = isAtLeast(relation.role, 'manager') && stepsBack({ before: expense, after }) !== undefined
          if (!canReturn) notifyDone(label)
          else offerUndo({ area: expenseArea, label, at: now().toISOString(), undo: () => undo({ before: expense, after }) })
        },
      },
    )
  return { move, isMoving: isPending, error: error ? failureText(error) : undefined, forget: reset }
}
