import { ActionIcon } from '@mantine/core'
import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFocusBack } from '../form/use-focus-back'
import { useShortcuts } from '../keys/shortcuts'
import classes from './side-panel.module.css'

/** A panel next to a list: a title, its content, and a way to close it. */
export type SidePanelProps = { title: string; onClose: () => void; children: ReactNode }

/** A titled detail that Escape closes; the focus then goes back to where it was. */
export function SidePanel({ title, onClose, children }: SidePanelProps) {
  const { t } = useTranslation('shell')
  useShortcuts({ scope: 'side-panel', title }, [{ id: 'close', keys: 'escape', label: t('close'), run: onClose }])
  useFocusBack()
  return (
    <div className={classes.panel} onKeyDownCapture={keepOpen}>
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <ActionIcon aria-label={t('close')} title={t('close')} onClick={onClose}>
          <X size={16} aria-hidden />
        </ActionIcon>
      </div>
      <div className={classes.body}>{children}</div>
    </div>
  )
}

/** Escape in an open list of choices closes that list only. */
function keepOpen(event: KeyboardEvent): void {
  const isChoosing = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true'
  if (event.key === 'Escape' && isChoosing) event.preventDefault()
}
