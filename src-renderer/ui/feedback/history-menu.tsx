import { ActionIcon } from '@mantine/core'
import { Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useShallow } from 'zustand/react/shallow'
import { usePreferences } from '../../state/preferences'
import { isRefused, redoAct, undoAct, type UndoableAct, useUndoStack } from '../../state/undo-stack'
import { now } from '../values/clock'
import { formatMoment } from '../values/format'
import { KeyHint } from '../keys/key-hint'
import { Menu } from '../panes/menu'

/** What can be undone in an area and what can be done again, newest first; each can be chosen. */
export function HistoryMenu({ area }: { area: string }) {
  const { t } = useTranslation('ui')
  const done = useUndoStack(useShallow((state) => state.done.filter((act) => act.area === area && !isRefused(state, act.id))))
  const undone = useUndoStack(useShallow((state) => state.undone.filter((act) => act.area === area)))
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const nameOf = ({ label, at }: UndoableAct) => `${label} · ${formatMoment(at, { language, timezone, now: now() })}`
  return (
    <Menu
      position="bottom-end"
      width={320}
      target={
        <ActionIcon aria-label={t('history.label')} title={t('history.label')}>
          <Undo2 size={16} />
        </ActionIcon>
      }
    >
      {(Parts) => (
        <Parts.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          {done.length > 0 ? <Parts.Label>{t('undo')}</Parts.Label> : <Parts.Item>{t('history.nothing')}</Parts.Item>}
          {done.map((act, index) => (
            <Parts.Item key={act.id} rightSection={index === 0 ? <KeyHint keys="u" /> : undefined} onClick={() => undoAct(area, act.id)}>
              {nameOf(act)}
            </Parts.Item>
          ))}
          {undone.length > 0 && <Parts.Divider />}
          {undone.length > 0 && <Parts.Label>{t('redo')}</Parts.Label>}
          {undone.map((act, index) => (
            <Parts.Item
              key={act.id}
              rightSection={index === 0 ? <KeyHint keys="mod+shift+z" /> : undefined}
              onClick={() => redoAct(area, act.id)}
            >
              {nameOf(act)}
            </Parts.Item>
          ))}
        </Parts.Dropdown>
      )}
    </Menu>
  )
}
