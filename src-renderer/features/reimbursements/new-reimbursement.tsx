import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useDeleteReimbursement, usePay } from '../../api/reimbursements'
import { useSession } from '../../api/session'
import { usePreferences } from '../../state/preferences'
import { useSettlementChoices } from '../../state/settlement-choices'
import { writeDay } from '../../state/settlement-form'
import { formatMoney } from '../../ui/format'
import { PaneHead } from '../../ui/pane-head'
import { RecordForm } from '../../ui/record-form'
import { SettlementFields, useSettlementWriting } from '../../ui/settlement-fields'
import { notifyDone, notifyFailure } from '../../ui/toast'
import { useAttemptKeys, useSettlementForm } from '../../ui/use-settlement-form'
import type { OfferUndo } from '../../ui/use-undo'
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
  const submit = () => {
    const values = draft.read()
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
      <div className={classes.page}>
        <RecordForm
          label={t('new.title')}
          error={draft.errors.form}
          isSending={isPending}
          submitLabel={t('pay.action')}
          focus="input"
          onSubmit={submit}
          onCancel={onClose}
        >
          <SettlementFields
            form={draft.form}
            onChange={draft.change}
            errors={draft.errors}
            choices={choices}
            receiverLabel={t('column.receiver')}
          />
        </RecordForm>
      </div>
    </div>
  )
}
