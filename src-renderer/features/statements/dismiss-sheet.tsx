import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StatementLineRepresentation } from '../../api/statements/statements'
import classes from './statements.module.css'

/** Why no expense belongs to a line. */
export function DismissSheet({
  line,
  onClose,
  onSave,
}: {
  line: StatementLineRepresentation
  onClose: () => void
  onSave: (reason: string) => void
}) {
  const { t } = useTranslation('statements')
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  return (
    <Modal opened onClose={onClose} closeButtonProps={{ 'aria-label': t('cancel') }} title={t('noExpenseFor', { name: line.name })}>
      <form
        className={classes.panel}
        onSubmit={(event) => {
          event.preventDefault()
          if (reason.trim() === '') setMissing(true)
          else onSave(reason.trim())
        }}
      >
        <TextInput
          label={t('reason')}
          description={t('reasonHint')}
          value={reason}
          maxLength={500}
          data-autofocus
          error={isMissing && t('reasonMissing')}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <div className={classes.actions}>
          <Button type="submit">{t('save')}</Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
