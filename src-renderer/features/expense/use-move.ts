import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { isFinal } from '#shared/domain/expense-status'
import { failureText } from '../../api/failure-text'
import { expenseArea } from '../../records/expense/expense-moves'
import { offerUndo } from '../../state/undo-stack'
import { now } from '../../ui/values/clock'
import { useMoveExpense, useUndoMove, type Move } from './expense-writes'

/** Makes a move, says so, and offers the way back where the table of moves has one. */
export function useMove(expense: Expense, onDone: () => void) {
  const { t } = useTranslation('expense')
  const { mutateAsync, isPending, error, reset } = useMoveExpense()
  const undo = useUndoMove()
  const move = (wanted: Move, onStored?: () => void) => {
    let after: Expense | undefined
    const onSuccess = () => {
      onStored?.()
      onDone()
    }
    const isDone = mutateAsync({ seen: expense, move: wanted }, { onSuccess }).then((stored) => {
      after = stored
      return stored ? true : undefined
    })
    const canReturn = !isFinal(wanted.status)
    const act = { area: expenseArea, label: t('moves.done', { status: t(`status:${wanted.status}`) }), at: now().toISOString() }
    const goBack = () => undo(expense.uid, () => (after ? [{ before: expense, after }] : []))
    offerUndo({ ...act, undo: canReturn ? goBack : null }, { after: isDone })
  }
  return { move, isMoving: isPending, error: error ? failureText(error) : undefined, forget: reset }
}
