import { ActionIcon } from '@mantine/core'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { offeredStatuses } from '#shared/domain/expense-status'
import { useFullView } from '#renderer/state/full-view'
import { AboveFullView } from '#renderer/ui/panes/above-full-view'
import { ActButtons } from './act-buttons'
import type { ReviewAction } from './review-actions'
import { useReviewCaller } from '../review-caller'
import classes from '../review.module.css'
import type { ReviewFocus } from '../list/use-review-focus'

const mostButtons = 4

type FullActsProps = { focus: ReviewFocus; rowCount: number; actions: readonly ReviewAction[]; onAction: (action: ReviewAction) => void }

/** Below a receipt that fills the window: the next and the previous expense, and what can be done with this one. For those without keys. */
export function FullActs({ focus, rowCount, actions, onAction }: FullActsProps) {
  const { t } = useTranslation('review')
  const isFull = useFullView(({ place }) => place !== null)
  const caller = useReviewCaller()
  const { target, index } = focus
  if (!isFull || !target) return null
  const statuses = offeredStatuses(target, caller.relationTo(target))
  const offered = actions.filter((action) => statuses.includes(action.target))
  return (
    <AboveFullView>
      <div className={classes.fullActs} role="toolbar" aria-label={t('action.decide')}>
        <ActionIcon
          variant="default"
          aria-label={t('action.up')}
          title={t('key', { label: t('action.up'), key: 'K' })}
          disabled={index <= 0}
          onClick={() => focus.moveTo(index - 1)}
        >
          <ChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t('action.down')}
          title={t('key', { label: t('action.down'), key: 'J' })}
          disabled={index >= rowCount - 1}
          onClick={() => focus.moveTo(index + 1)}
        >
          <ChevronRight size={16} aria-hidden />
        </ActionIcon>
        <span data-grow />
        <ActButtons actions={offered} most={mostButtons} onAction={onAction} isOnceADoubleClick />
      </div>
    </AboveFullView>
  )
}
