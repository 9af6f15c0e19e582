import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PreExpense } from '#shared/contract/pre-expenses'
import { failureText } from '../../api/failure-text'
import { type PreExpenseAct, type PreExpenseTarget, runPreExpenseBatch } from '../../api/pre-expenses'
import { newKey } from '../../ui/values/clock'
import { notifyDone, notifyFailure } from '../../state/notices'
import { relabelAct } from '../../state/undo-stack'
import { useUndo } from '../../ui/feedback/use-undo'
import type { PreExpenseRows } from './use-pre-expense-list'

/** What can be done to pre-expenses from the list and from the detail. */
export type Acts = {
  readonly isRunning: boolean
  readonly ignore: (rows: readonly PreExpense[]) => void
  readonly restore: (rows: readonly PreExpense[]) => void
  readonly remove: (rows: readonly PreExpense[]) => void
  readonly convert: (targets: readonly PreExpenseTarget[]) => void
  /** After one was converted by its form. */
  readonly converted: (row: PreExpense) => void
}

/** Carries out acts; the list and the detail continue with the next row, and failed ones stay selected. */
export function useActs(inbox: PreExpenseRows, openId: number | undefined): Acts {
  const { t } = useTranslation('pre-expenses')
  const offerUndo = useUndo({ scope: 'pre-expenses-undo', title: t('title') })
  const { isRunning, run } = useBatches()
  const goOn = (done: ReadonlySet<number>) => {
    inbox.setSelected(inbox.selected.filter(({ id }) => !done.has(id)))
    if (openId !== undefined && done.has(openId)) inbox.open(inbox.nextAfter(done)?.id)
  }
  const withUndo = async (act: 'ignore' | 'restore', rows: readonly PreExpense[]) => {
    const running = run(act, rows)
    const undo = async () => {
      const acted = await running
      const back = rows.filter(({ id }) => acted.has(id))
      return back.length > 0 && (await run(act === 'ignore' ? 'restore' : 'ignore', back)).size > 0 ? undefined : ''
    }
    const after = running.then((acted) => {
      relabelAct(actId, t(`done.${act}`, { count: acted.size }))
      return acted.size > 0
    })
    const actId = offerUndo(t(`done.${act}`, { count: rows.length }), undo, { after })
    const done = await running
    if (done.size > 0) goOn(done)
  }
  const told = async (act: 'delete' | 'convert', targets: readonly PreExpenseTarget[]) => {
    const running = run(act, targets)
    const after = running.then((acted) => {
      relabelAct(actId, t(`done.${act}`, { count: acted.size }))
      return acted.size > 0
    })
    const actId = offerUndo(t(`done.${act}`, { count: targets.length }), null, { after })
    const done = await running
    if (done.size > 0) goOn(done)
  }
  return {
    isRunning,
    ignore: (rows) => void withUndo('ignore', rows),
    restore: (rows) => void withUndo('restore', rows),
    remove: (rows) => void told('delete', rows),
    convert: (targets) => void told('convert', targets),
    converted: ({ id }) => {
      notifyDone(t('done.convert', { count: 1 }))
      goOn(new Set([id]))
    },
  }
}

/** Runs the same for many: `run` returns the ids for which it worked, and reports the failures of the rest. */
function useBatches() {
  const { t } = useTranslation('pre-expenses')
  const [isRunning, setRunning] = useState(false)
  const tell = (act: PreExpenseAct, count: number, error: unknown) =>
    notifyFailure({ title: t(`failed.${act}`, { count }), message: failureText(error) })
  const run = async (act: PreExpenseAct, targets: readonly PreExpenseTarget[]): Promise<ReadonlySet<number>> => {
    setRunning(true)
    try {
      const outcomes = await runPreExpenseBatch(act, targets, newKey)
      const failures = outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? [outcome.error] : []))
      if (failures[0]) tell(act, failures.length, failures[0])
      return new Set(targets.filter((_, index) => outcomes[index]?.kind === 'done').map(({ id }) => id))
    } catch (error) {
      tell(act, targets.length, error)
      return new Set()
    } finally {
      setRunning(false)
    }
  }
  return { isRunning, run }
}
