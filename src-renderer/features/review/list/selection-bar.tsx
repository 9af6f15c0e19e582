import { ActionIcon, Button, Menu } from '@mantine/core'
import { Ellipsis, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { actOnSaved } from '../../../state/open-forms'
import { usePreferences } from '../../../state/preferences'
import { formatCount, type Money } from '../../../ui/values/format'
import { KeyHint } from '../../../ui/keys/key-hint'
import type { ReviewAction } from '../deciding/review-actions'
import classes from '../review.module.css'
import { useTotalsText } from './totals'

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
  onClear: () => void
}

const mostButtons = { wide: 3, compact: 2 }

/** How many are selected, what they come to, and what can be done with them. */
export function SelectionBar({ isCompact, count, totals, claimed, ...props }: SelectionBarProps) {
  const { matching, actions, onAction, onSelectAll, onClear } = props
  const { t } = useTranslation('review')
  const language = usePreferences((state) => state.language)
  const totalsText = useTotalsText()
  const most = isCompact ? mostButtons.compact : mostButtons.wide
  const rest = actions.slice(most)
  const act = (action: ReviewAction) => actOnSaved(t(`action.${action.id}`), () => onAction(action))
  return (
    <div className={classes.foot} role="toolbar" aria-label={t('selection.label')}>
      <span className={classes.footCount}>{t('selection.count', { count, formatted: formatCount(count, language) })}</span>
      <span>{totalsText(totals, claimed)}</span>
      {matching !== undefined && (
        <Button variant="subtle" onClick={onSelectAll}>
          {t('selection.all', { count: matching, formatted: formatCount(matching, language) })}
        </Button>
      )}
      <span data-grow />
      {actions.slice(0, most).map((action, index) => (
        <Button
          key={action.id}
          variant={index === 0 ? 'filled' : 'default'}
          rightSection={<KeyHint keys={action.keys} />}
          onClick={() => act(action)}
        >
          {t(`action.${action.id}`)}
        </Button>
      ))}
      {rest.length > 0 && (
        <Menu position="top-end">
          <Menu.Target>
            <Button variant="default" aria-label={t('selection.more')} title={t('selection.more')}>
              <Ellipsis size={16} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {rest.map((action) => (
              <Menu.Item key={action.id} rightSection={<KeyHint keys={action.keys} />} onClick={() => act(action)}>
                {t(`action.${action.id}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <ActionIcon
        aria-label={t('selection.clear')}
        title={t('key', { label: t('selection.clear'), key: 'Esc' })}
        onClick={onClear}
      >
        <X size={16} />
      </ActionIcon>
    </div>
  )
}
