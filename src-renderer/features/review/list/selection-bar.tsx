import { ActionIcon, Button } from '@mantine/core'
import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type Money } from '#renderer/ui/values/format'
import { ActButtons } from '../deciding/act-buttons'
import type { ReviewAction } from '../deciding/review-actions'
import classes from '../review.module.css'
import { useTotalsText } from '#renderer/records/expense/deciding/totals-text'

/** What the bar is given. `matching`: how many match and could be selected too; left out when they all are. */
export type SelectionBarProps = {
  isCompact: boolean
  count: number
  totals: readonly Money[]
  claimed: readonly Money[]
  matching: number | undefined
  actions: readonly ReviewAction[]
  onAction: (action: ReviewAction) => void
  onSelectAll: () => void
  onEdit: () => void
  onClear: () => void
}

const mostButtons = { wide: 3, compact: 2 }

/** How many are selected, what they come to, and what can be done with them. */
export function SelectionBar({ isCompact, count, totals, claimed, ...props }: SelectionBarProps) {
  const { matching, actions, onAction, onSelectAll, onEdit, onClear } = props
  const { t } = useTranslation('review')
  const totalsText = useTotalsText()
  return (
    <div className={classes.foot} role="toolbar" aria-label={t('selection.label')}>
      <span className={classes.footCount}>{t('selection.count', { count })}</span>
      <span>{totalsText(totals, claimed)}</span>
      {matching !== undefined && (
        <Button variant="subtle" onClick={onSelectAll}>
          {t('selection.all', { count: matching })}
        </Button>
      )}
      <span data-grow />
      <Button variant="default" title={t('key', { label: t('action.bulk'), key: '⇧E' })} onClick={onEdit}>
        {t('bulk.open')}
      </Button>
      <ActButtons actions={actions} most={isCompact ? mostButtons.compact : mostButtons.wide} onAction={onAction} />
      <ActionIcon aria-label={t('selection.clear')} title={t('key', { label: t('selection.clear'), key: 'Esc' })} onClick={onClear}>
        <X size={16} />
      </ActionIcon>
    </div>
  )
}
