import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmSheet } from '#renderer/ui/feedback/confirm-sheet'
import { PlanText } from './plan-text'
import { isAsAsked, type Planned } from './use-planned'

/** What the server says that an act would do with many expenses, before it is done. `will`, `confirm`: in words, for so many. */
export function BatchSheet(props: {
  planned: Planned
  will: (count: number) => string
  confirm: (count: number) => string
  children?: ReactNode
  onConfirm: () => void
  onCancel: () => void
}) {
  const { t } = useTranslation('review')
  const { planned, will, confirm, children, onConfirm, onCancel } = props
  const count = planned.plan?.acting.length
  return (
    <ConfirmSheet
      title={count === undefined ? t('plan.checking') : will(count)}
      confirmLabel={count === 0 ? t('plan.close') : confirm(count ?? planned.total ?? 0)}
      isNotice={count === 0}
      isWaiting={count === undefined}
      isAsAsked={isAsAsked(planned)}
      onConfirm={count === 0 ? onCancel : onConfirm}
      onCancel={onCancel}
    >
      {children}
      <PlanText planned={planned} />
    </ConfirmSheet>
  )
}
