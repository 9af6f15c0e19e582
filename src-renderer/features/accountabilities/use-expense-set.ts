import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Accountability } from '#shared/contract/accountabilities'
import { accountabilityKeys, updateAccountability } from '../../api/accountabilities'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { notifyFailure } from '../../state/notices'
import type { OfferUndo } from '../../ui/use-undo'

/** Adding expenses to an accountability and taking them out. */
export type ExpenseSet = {
  readonly add: (expense_ids: readonly number[]) => Promise<boolean>
  readonly remove: (expense_id: number) => void
}

/** Changes which expenses stand in an accountability; either way can be taken back. */
export function useExpenseSet(accountability: Accountability, offerUndo: OfferUndo): ExpenseSet {
  const { t } = useTranslation('accountabilities')
  const client = useQueryClient()
  const write = (before: Accountability, expense_ids: readonly number[]): Promise<Accountability> =>
    updateAccountability(before, { expense_ids }).finally(
      () => void client.invalidateQueries({ queryKey: accountabilityKeys.all }),
    )
  const change = async (expense_ids: readonly number[], message: string): Promise<boolean> => {
    try {
      const after = await write(accountability, expense_ids)
      offerUndo(message, () => write(after, accountability.expense_ids))
      return true
    } catch (error) {
      const reason = error instanceof ApiError ? error.fields.expense_ids?.join(', ') : undefined
      notifyFailure({ title: t('set.failed'), message: reason ?? failureText(error) })
      return false
    }
  }
  return {
    add: (ids) => change([...accountability.expense_ids, ...ids], t('set.added', { count: ids.length })),
    remove: (id) => {
      void change(
        accountability.expense_ids.filter((known) => known !== id),
        t('set.removed', { count: 1 }),
      )
    },
  }
}
