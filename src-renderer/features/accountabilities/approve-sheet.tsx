import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { inSlices } from '#renderer/records/expense/deciding/batch-plan'
import { BatchSheet } from '#renderer/records/expense/deciding/batch-sheet'
import { type Planned, unplanned, usePlanning } from '#renderer/records/expense/deciding/use-planned'
import { failureText } from '#renderer/api/failure-text'
import { notifyFailure } from '#renderer/state/notices'
import classes from './accountabilities.module.css'
import { countByStatus } from './approvals'

/** Shows, before several expenses are approved, what the server would do with them, and which others stay as they are. */
export function ApproveSheet({
  expenses,
  staying,
  isWhole = false,
  onConfirm,
  onCancel,
}: {
  expenses: readonly Expense[]
  staying: readonly Expense[]
  /** The accountability is approved with them, if all can be. */
  isWhole?: boolean
  /** Gets those that can be approved. `isAll`: that is all of them. */
  onConfirm: (acting: readonly Expense[], isAll: boolean) => void
  onCancel: () => void
}) {
  const { t } = useTranslation(['accountabilities', 'review', 'status'])
  const [planned, setPlanned] = useState<Planned>(() => unplanned(expenses.length))
  const { begin, end } = usePlanning()
  const plan = useEffectEvent(() =>
    begin({
      ...{ act: { kind: 'approve' }, total: expenses.length, pages: inSlices(expenses), onPlanned: setPlanned },
      onFailure: (error) => {
        notifyFailure({ title: t('review:plan.unread'), message: failureText(error) })
        onCancel()
      },
    }),
  )
  useEffect(() => {
    plan()
    return end
  }, [end])
  const parts = countByStatus(staying).map(({ status, count }) =>
    t('accountabilities:hindrance.part', { count, status: t(`status:${status}`).toLocaleLowerCase() }),
  )
  const { acting = [], skipped = [] } = planned.plan ?? {}
  const isAll = skipped.length === 0
  return (
    <BatchSheet
      planned={planned}
      will={(count) => t('accountabilities:approve.title', { count })}
      confirm={() => t(isWhole && isAll ? 'accountabilities:step.approved' : 'accountabilities:approve.confirm')}
      onConfirm={() => onConfirm(acting, isAll)}
      onCancel={onCancel}
    >
      {staying.length > 0 && (
        <p className={classes.quiet}>{t('accountabilities:approve.staying', { count: staying.length, reasons: parts.join(', ') })}</p>
      )}
    </BatchSheet>
  )
}
