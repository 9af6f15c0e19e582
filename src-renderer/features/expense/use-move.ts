import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { actOnRows, plainWords } from '../../records/expense/deciding/act'
import { type Decision, targetOf } from '../../records/expense/deciding/decision'
import { findRow } from '../../records/expense/expense-store'
import { notifyDone } from '../../state/notices'

const still = { isMoving: false, error: undefined }

/** Makes a move, says so, and offers the way back where the table of moves has one. */
export function useMove(expense: Expense, onDone: () => void) {
  const { t } = useTranslation('expense')
  const [going, setGoing] = useState<{ readonly isMoving: boolean; readonly error: string | undefined }>(still)
  const move = async (decision: Decision, onStored?: () => void) => {
    const words = plainWords(() => t('moves.done', { status: t(`status:${targetOf(decision)}`) }))
    setGoing({ isMoving: true, error: undefined })
    const { done, met, reasons, actId } = await actOnRows({ words }, { act: decision, expenses: [expense] })
    // An earlier own act may have led elsewhere: then nothing was sent, and what was written in the form stays.
    const isThere = done.length + met > 0 || findRow(expense.uid)?.expense.status === targetOf(decision)
    const error = reasons[0] ?? (isThere ? undefined : words.later)
    setGoing({ isMoving: false, error })
    if (error !== undefined) return
    onStored?.()
    onDone()
    if (done.length + met > 0) notifyDone(words.done(decision, 1), { actId })
  }
  return { move, ...going, forget: () => setGoing(still) }
}
