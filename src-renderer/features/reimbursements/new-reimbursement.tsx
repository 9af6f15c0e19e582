import { Button } from '@mantine/core'
import { useEffect, useRef, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useDeleteReimbursement, usePay } from '../../api/reimbursements'
import { useSession } from '../../api/session'
import { usePreferences } from '../../state/preferences'
import { useSettlementChoices } from '../../state/settlement-choices'
import { writeDay } from '../../state/settlement-form'
import { formatMoney } from '../../ui/format'
import { KeyHint } from '../../ui/key-hint'
import { SettlementFields, useSettlementWriting } from '../../ui/settlement-fields'
import { useShortcuts } from '../../ui/shortcuts'
import { notifyDone, notifyFailure } from '../../ui/toast'
import { useAttemptKeys, useSettlementForm } from '../../ui/use-settlement-form'
import type { OfferUndo } from '../../ui/use-undo'
import { PaneHead } from './pane-head'
import classes from './reimbursements.module.css'

type NewReimbursementProps = {
  organizationId: number
  offerUndo: OfferUndo
  onClose: () => void
  onMade: (id: number) => void
}

/** A reimbursement that pays no expense of the system. */
export function NewReimbursement({ organizationId, offerUndo, onClose, onMade }: NewReimbursementProps) {
  const { t } = useTranslation('reimbursements')
  const formRef = useRef<HTMLFormElement>(null)
  const choices = useSettlementChoices()
  const writing = useSettlementWriting()
  const display = usePreferences((state) => state.currencyDisplay)
  const currency = useSession().data?.user.default_currency ?? 'BRL'
  const draft = useSettlementForm(() => ({
    receiver_id: null,
    amount: '',
    currency,
    date: writeDay(writing.today),
    description: '',
    tags: [],
  }))
  const keys = useAttemptKeys()
  const { mutate, isPending } = usePay()
  const { mutateAsync: remove } = useDeleteReimbursement()
  useEffect(() => formRef.current?.querySelector('input')?.focus(), [])
  useShortcuts({ scope: 'new-reimbursement', title: t('new.title') }, [
    { id: 'close', keys: 'escape', label: t('close'), run: onClose },
  ])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const values = isPending ? undefined : draft.read()
    if (!values) return
    const body = { ...values, payer: { id: organizationId, type: 'Organization' } }
    mutate(
      { body, key: keys.keyFor(body) },
      {
        onSuccess: (made) => {
          keys.answered()
          const params = { amount: formatMoney(made, { language: writing.language, display }), name: made.receiver.name }
          const undo = () =>
            void remove(made).then(
              () => notifyDone(t('pay.undone', params)),
              (error: unknown) => notifyFailure({ title: t('pay.notUndone'), message: failureText(error) }),
            )
          offerUndo(t('pay.done', params), undo)
          onMade(made.id)
        },
        onError: (error) => {
          if (!(error instanceof ApiError) || error.status !== 0) keys.answered()
          draft.refuse(error instanceof ApiError ? error.fields : {}, failureText(error))
        },
      },
    )
  }
  return (
    <div className={classes.pane}>
      <PaneHead title={t('new.title')} onClose={onClose}>
        {t('new.hint')}
      </PaneHead>
      <form ref={formRef} className={classes.page} onSubmit={submit} aria-label={t('new.title')}>
        <SettlementFields
          form={draft.form}
          onChange={draft.change}
          errors={draft.errors}
          choices={choices}
          receiverLabel={t('column.receiver')}
        />
        {draft.errors.form && (
          <p className={classes.error} role="alert">
            {draft.errors.form}
          </p>
        )}
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose} rightSection={<KeyHint keys="escape" />}>
            {t('ui:cancel')}
          </Button>
          <Button type="submit" loading={isPending} rightSection={<KeyHint keys="enter" />}>
            {t('pay.action')}
          </Button>
        </div>
      </form>
    </div>
  )
}
