import { ActionIcon, Menu } from '@mantine/core'
import { Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/clock'
import { formatCount, formatMoment } from '../../ui/format'
import { KeyHint } from '../../ui/key-hint'
import { useHistory, type HistoryEntry } from './undo-history'

/** What can be undone and what can be done again, newest first; each at its choosing. */
export function HistoryMenu({
  isBusy,
  onUndo,
  onRedo,
}: {
  isBusy: boolean
  onUndo: (entry: HistoryEntry) => void
  onRedo: (entry: HistoryEntry) => void
}) {
  const { t } = useTranslation('review')
  const { done, undone } = useHistory()
  const words = useEntryWords()
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <ActionIcon aria-label={t('history.label')} title={t('history.label')}>
          <Undo2 size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        <Menu.Label>{done.length > 0 ? t('history.undo') : t('history.nothing')}</Menu.Label>
        {done.map((entry, index) => (
          <Menu.Item
            key={entry.id}
            disabled={isBusy}
            rightSection={index === 0 ? <KeyHint keys="u" /> : undefined}
            onClick={() => onUndo(entry)}
          >
            {words(entry)}
          </Menu.Item>
        ))}
        {undone.length > 0 && <Menu.Divider />}
        {undone.length > 0 && <Menu.Label>{t('history.redo')}</Menu.Label>}
        {undone.map((entry, index) => (
          <Menu.Item
            key={entry.id}
            disabled={isBusy}
            rightSection={index === 0 ? <KeyHint keys="mod+shift+z" /> : undefined}
            onClick={() => onRedo(entry)}
          >
            {words(entry)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function useEntryWords(): (entry: HistoryEntry) => string {
  const { t } = useTranslation('review')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  return ({ status, items, at }) => {
    const what = t(`done.${status}`, { count: items.length, formatted: formatCount(items.length, language) })
    return `${what} · ${formatMoment(at, { language, timezone, now: now() })}`
  }
}
