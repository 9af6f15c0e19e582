import { useTranslation } from 'react-i18next'
import type { Accountability } from '#shared/contract/accountabilities'
import { accountabilityQueue, updateAccountability } from '../../api/accountabilities'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { notifyFailure } from '../../state/notices'
import type { OfferUndo } from '../../ui/feedback/use-undo'

/** Adding expenses to an accountability and taking them out. */
export type ExpenseSet = {
  readonly add: (expense_ids: readonly number[]) => Promise<boolean>
  readonly remove: (expense_id: number) => void
}

/** Changes which expenses are in an accountability; both ways can be undone. */
export function useExpenseSet(accountability: Accountability, offerUndo: OfferUndo): ExpenseSet {
  const { t } = useTranslation('accountabilities')
  /** Made of the expenses that it has when its turn comes: those put in or taken out just before stay so. */
  const write = (change: (ids: readonly number[]) => readonly number[]) =>
    accountabilityQueue.write(accountability, (now) => updateAccountability(now, { expense_ids: change(now.expense_ids) }))
  const change = async (kind: 'add' | 'remove', ids: readonly number[]): Promise<boolean> => {
    const put = (known: readonly number[]) => [...new Set([...known, ...ids])]
    const takeOut = (known: readonly number[]) => known.filter((id) => !ids.includes(id))
    const [forth, back] = kind === 'add' ? [put, takeOut] : [takeOut, put]
    const label = kind === 'add' ? t('set.added', { count: ids.length }) : t('set.removed', { count: ids.length })
    let isWritten = false
    const writing = write(forth).then(() => (isWritten = true))
    // What was refused is not taken back: its turn is before that of the undo.
    offerUndo(label, () => write((known) => (isWritten ? back(known) : known)), { after: writing, about: accountability.uid })
    try {
      return await writing
    } catch (error) {
      const reason = error instanceof ApiError ? error.fields.expense_ids?.join(' ') : undefined
      notifyFailure({ title: t('set.failed'), message: reason ?? failureText(error) })
      return false
    }
  }
  return { add: (ids) => change('add', ids), remove: (id) => void change('remove', [id]) }
}
