import { useTranslation } from 'react-i18next'
import type { Advancement } from '#shared/contract/advancements'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useSession } from '../../api/session'
import type { FormName } from '../../state/form-names'
import { usePreferences } from '../../state/preferences'
import { useSettlementChoices } from '../../state/settlement-choices'
import { changedValues, type SettlementForm, type SettlementValues, toSettlementForm, writeDay } from '../../state/settlement-form'
import { formatMoney } from '../../ui/values/format'
import { PaneHead } from '../../ui/panes/pane-head'
import { PaneForm } from '../../ui/form/pane-form'
import { SettlementFields, useSettlementWriting } from './settlement-fields'
import classes from './settlement-forms.module.css'
import { notifyDone } from '../../state/notices'
import { type SettlementDraft, useSettlementForm } from './use-settlement-form'
import { type Recording, useRecordSettlement } from './use-record-settlement'
import type { OfferUndo } from '../../ui/feedback/use-undo'

type FieldsFormProps = {
  draft: SettlementDraft
  label: string
  submitLabel: string
  isSending: boolean
  isPartyFixed?: boolean
  focus: string
  onSubmit: (values: SettlementValues) => void
  onCancel: () => void
}

/** The form around the fields; it is sent when they mean something. */
function FieldsForm({ draft, isPartyFixed = false, onSubmit, ...form }: FieldsFormProps) {
  const { t } = useTranslation('ui')
  const choices = useSettlementChoices()
  const submit = () => {
    const values = draft.read()
    if (values) onSubmit(values)
  }
  return (
    <PaneForm
      {...form}
      draft={draft.draft}
      words={{
        name: (field) => t(`field.${field === 'receiver_id' ? 'receiver' : field}`),
        value: (field, value) => (field === 'receiver_id' ? choices.people.find(({ id }) => id === value)?.name : undefined),
      }}
      error={draft.errors.form}
      onSubmit={submit}
    >
      <SettlementFields form={draft.form} onChange={draft.change} errors={draft.errors} choices={choices} isPartyFixed={isPartyFixed} />
    </PaneForm>
  )
}

/** How an edited settlement is sent: only what differs from what was seen. */
export type EditSettlementProps = {
  form: FormName
  settlement: Advancement | Reimbursement
  title: string
  isPartyFixed?: boolean
  isSending: boolean
  send: (changes: Partial<SettlementValues>, handlers: { onSuccess: () => void; onError: (error: Error) => void }) => void
  onDone: () => void
}

/** Edits an advancement or a reimbursement in place. */
export function EditSettlement({ form, settlement, title, send, onDone, ...rest }: EditSettlementProps) {
  const { t } = useTranslation('ui')
  const writing = useSettlementWriting()
  const before = toSettlementForm(settlement, writing)
  const draft = useSettlementForm({ form, record: settlement.id, stored: before })
  const submit = (values: SettlementValues) => {
    const changes = changedValues(before, draft.form, values)
    if (Object.keys(changes).length === 0) return onDone()
    send(changes, {
      onSuccess: () => {
        draft.draft.done()
        notifyDone(t('settlement.saved'))
        onDone()
      },
      onError: (error) => draft.refuse(error instanceof ApiError ? error.fields : {}, failureText(error)),
    })
  }
  return (
    <FieldsForm
      {...rest}
      draft={draft}
      label={title}
      submitLabel={t('settlement.save')}
      focus="[data-field=amount]"
      onSubmit={submit}
      onCancel={onDone}
    />
  )
}

/** The title of a new settlement, and its success message. */
export type NewSettlementWords = {
  readonly title: string
  readonly hint: string
  readonly action: string
  readonly done: (made: { amount: string; name: string }) => string
}

/** `receiverId`, `currency`: what it begins with, where that is known. */
export type NewSettlementProps<S extends Advancement | Reimbursement> = {
  form: FormName
  words: NewSettlementWords
  organizationId: number
  receiverId?: number | undefined
  currency?: string | undefined
  record: Recording<S>
  remove: (made: S) => Promise<unknown>
  offerUndo: OfferUndo
  onClose: () => void
  onMade: (made: S) => void
}

/** A pane that records an advancement, or a reimbursement that pays no expense of the system. It can be undone. */
export function NewSettlement<S extends Advancement | Reimbursement>({
  form,
  words,
  organizationId,
  receiverId,
  currency,
  record,
  remove,
  offerUndo,
  onClose,
  onMade,
}: NewSettlementProps<S>) {
  const writing = useSettlementWriting()
  const { people } = useSettlementChoices()
  const display = usePreferences((state) => state.currencyDisplay)
  const ownCurrency = useSession().data?.user.default_currency ?? 'BRL'
  const draft = useSettlementForm<SettlementForm>({
    form,
    record: organizationId,
    stored: {
      receiver_id: receiverId ?? null,
      amount: '',
      currency: currency ?? ownCurrency,
      date: writeDay(writing.today),
      description: '',
      tags: [],
    },
  })
  const send = useRecordSettlement(record, draft)
  const submit = (values: SettlementValues) => {
    const name = people.find(({ id }) => id === values.receiver.id)?.name ?? ''
    const sending = send({ ...values, payer: { id: organizationId, type: 'Organization' } }, onMade)
    const label = words.done({ amount: formatMoney(values, { language: writing.language, display }), name })
    const undo = async () => {
      const made = await sending
      if (made) await remove(made)
    }
    offerUndo(label, undo, { after: sending.then((made) => made !== undefined) })
  }
  return (
    <div className={classes.pane}>
      <PaneHead title={words.title} onClose={onClose}>
        {words.hint}
      </PaneHead>
      <div className={classes.page}>
        <FieldsForm
          draft={draft}
          label={words.title}
          submitLabel={words.action}
          isSending={record.isPending}
          focus={receiverId === undefined ? 'input' : '[data-field=amount]'}
          onSubmit={submit}
          onCancel={onClose}
        />
      </div>
    </div>
  )
}
