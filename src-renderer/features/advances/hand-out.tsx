import { useTranslation } from 'react-i18next'
import { type AccountKey, useDeleteAdvancement, useHandOut } from '../../api/advancements'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
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
import classes from './advances.module.css'

type HandOutProps = {
  /** Whose account was open, to begin with. */
  account: AccountKey | undefined
  organizationId: number
  offerUndo: OfferUndo
  onClose: () => void
  onMade: (account: AccountKey) => void
}

/** Hands out money in advance. */
export function HandOut({ account, organizationId, offerUndo, onClose, onMade }: HandOutProps) {
  const { t } = useTranslation('advances')
  const choices = useSettlementChoices()
  const writing = useSettlementWriting()
  const display = usePreferences((state) => state.currencyDisplay)
  const ownCurrency = useSession().data?.user.default_currency ?? 'BRL'
  const draft = useSettlementForm(() => ({
    receiver_id: account?.receiver_id ?? null,
    amount: '',
    currency: account?.currency ?? ownCurrency,
    date: writeDay(writing.today),
    description: '',
    tags: [],
  }))
  const keys = useAttemptKeys()
  const { mutate, isPending } = useHandOut()
  const { mutateAsync: remove } = useDeleteAdvancement()
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
              () => notifyDone(t('handOut.undone', params)),
              (error: unknown) => notifyFailure({ title: t('handOut.notUndone'), message: failureText(error) }),
            )
          offerUndo(t('handOut.done', params), undo)
          onMade({ payer_id: made.payer.id, receiver_id: made.receiver.id, currency: made.currency })
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
      <PaneHead title={t('handOut.title')} onClose={onClose}>
        {t('handOut.hint')}
      </PaneHead>
      <div className={classes.page}>
        <RecordForm
          label={t('handOut.title')}
          error={draft.errors.form}
          isSending={isPending}
          submitLabel={t('handOut.action')}
          focus={account ? '[data-field=amount]' : 'input'}
          onSubmit={submit}
          onCancel={onClose}
        >
          <SettlementFields
            form={draft.form}
            onChange={draft.change}
            errors={draft.errors}
            choices={choices}
            receiverLabel={t('column.person')}
          />
        </RecordForm>
      </div>
    </div>
  )
}
