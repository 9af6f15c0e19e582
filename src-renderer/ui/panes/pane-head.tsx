import { ActionIcon, Tooltip } from '@mantine/core'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyHint } from '../keys/key-hint'
import classes from './record.module.css'

/** What heads a pane. `children`: the quiet line below the title. */
export type PaneHeadProps = { title: string; amount?: ReactNode; onClose: () => void; children?: ReactNode }

/** The head of a pane next to a list: its title, and the way to close it. */
export function PaneHead({ title, amount, onClose, children }: PaneHeadProps) {
  const { t } = useTranslation('shell')
  return (
    <header className={classes.head}>
      <div className={classes.headLine}>
        <h2 className={classes.title}>{title}</h2>
        {amount && <span className={classes.headAmount}>{amount}</span>}
        <Tooltip
          label={
            <span className={classes.tip}>
              {t('close')} <KeyHint keys="escape" />
            </span>
          }
        >
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <X size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      {children && <div className={classes.subLine}>{children}</div>}
    </header>
  )
}
