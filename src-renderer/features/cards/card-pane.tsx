import { ActionIcon, Tooltip } from '@mantine/core'
import { X } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyHint } from '../../ui/key-hint'
import classes from './cards.module.css'

/** The head of what stands beside the list of cards. */
export function CardHead({ title, onClose }: { title: ReactNode; onClose: () => void }) {
  const { t } = useTranslation('cards')
  return (
    <header className={classes.head}>
      <h2 className={classes.title}>{title}</h2>
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
    </header>
  )
}

/** A form beside the list: Enter sends it, Escape leaves it. `message`: what is wrong with no field in particular. */
export function CardPane({
  title,
  message,
  onSubmit,
  onClose,
  children,
}: {
  title: string
  message: string | undefined
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    const isListOpen = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true'
    if (event.key !== 'Escape' || isListOpen || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }
  return (
    <div className={classes.pane}>
      <CardHead title={title} onClose={onClose} />
      <form
        className={classes.form}
        aria-label={title}
        noValidate
        autoComplete="off"
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        {children}
        {message && (
          <p className={classes.failure} role="alert">
            {message}
          </p>
        )}
      </form>
    </div>
  )
}
