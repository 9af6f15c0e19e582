import { Button, Menu } from '@mantine/core'
import { Ellipsis } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../state/preferences'
import { formatCount, type Money } from '../../ui/format'
import { KeyHint } from '../../ui/key-hint'
import type { ReviewAction } from './actions'
import classes from './review.module.css'
import { useTotalsText } from './totals'

/** What the bar is given. `matching`: how many match and could be selected too; left out when they all are. */
export type SelectionBarProps = {
  count: number; totals: readonly Money[]; matching: number | undefined; actions: readonly ReviewAction[]
  onAction: (action: ReviewAction) => void; onSelectAll: () => void; onClear: () => void
}

const mostButtons = 3

/** How many are selected, what they come to, and what can be done with them. */
export function SelectionBar({ count, totals, matching, actions, onAction, onSelectAll, onClear }: SelectionBarProps) {
  const { t } = useTranslation('review')
  const language = usePreferences((state) => state.language)
  const totalsText = useTotalsText()
  const rest = actions.slice(mostButtons)
  return (
    <div className={classes.foot} role="toolbar" aria-label={t('selection.label')}>
      <span className={classes.footCount}>{t('selection.count', { count, formatted: formatCount(count, language) })}</span>
      <span>{totalsText(totals)}</span>
      {matching !== undefined && <Button variant="subtle" onClick={onSelectAll}>{t('selection.all', { count: matching, formatted: formatCount(matching, language) })}</Button>}
      <span data-grow />
      {actions.slice(0, mostButtons).map((action, index) => (
        <Button key={action.id} variant={index === 0 ? 'filled' : 'default'} rightSection={<KeyHint keys={action.keys} />} onClick={() => onAction(action)}>{t(`action.${action.id}`)}</Button>
      ))}
      {rest.length > 0 && (
        <Menu position="top-end">
          <Menu.Target><Button variant="default" aria-label={t('selection.more')} title={t('selection.more')}><Ellipsis size={16} aria-hidden /></Button></Menu.Target>
          <Menu.Dropdown>
            {rest.map((action) => <Menu.Item key={action.id} rightSection={<KeyHint keys={action.keys} />} onClick={() => onAction(action)}>{t(`action.${action.id}`)}</Menu.Item>)}
          </Menu.Dropdown>
        </Menu>
      )}
      <Button variant="subtle" color="gray" rightSection={<KeyHint keys="escape" />} onClick={onClear}>{t('selection.clear')}</Button>
    </div>
  )
}
