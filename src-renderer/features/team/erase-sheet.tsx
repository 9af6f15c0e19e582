import { TextInput } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import classes from './team.module.css'

/** Asks before a person is erased: the name has to be typed, since nothing brings it back. */
export function EraseSheet({ name, onCancel, onConfirm }: { name: string; onCancel: () => void; onConfirm: () => void }) {
  const { t } = useTranslation('team')
  const [typed, setTyped] = useState('')
  const inputRef = useRef<HTMLInputElement>(null)
  // After the sheet has moved the focus to its button.
  useLayoutEffect(() => inputRef.current?.focus({ preventScroll: true }), [])
  const isTyped = typed.trim() === name
  return (
    <ConfirmSheet
      title={t('erase.title', { name })}
      confirmLabel={t('erase.confirm', { name })}
      isDanger
      isWaiting={!isTyped}
      onCancel={onCancel}
      onConfirm={onConfirm}
    >
      <p className={classes.quiet}>{t('erase.text')}</p>
      <p className={classes.quiet}>{t('erase.stays')}</p>
      <TextInput
        ref={inputRef}
        label={t('erase.type', { name })}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.repeat && isTyped) onConfirm()
        }}
      />
    </ConfirmSheet>
  )
}
