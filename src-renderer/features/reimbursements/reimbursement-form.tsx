import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { useUpdateReimbursement } from '../../api/reimbursements'
import { useSettlementChoices } from '../../state/settlement-choices'
import { changedValues, toSettlementForm } from '../../state/settlement-form'
import { RecordForm } from '../../ui/record-form'
import { SettlementFields, useSettlementWriting } from '../../ui/settlement-fields'
import { notifyDone } from '../../ui/toast'
import { useSettlementForm } from '../../ui/use-settlement-form'

/** Edits a reimbursement in place. One that paid expenses keeps its receiver and currency: they are the expenses'. */
export function ReimbursementForm({ reimbursement, onDone }: { reimbursement: Reimbursement; onDone: () => void }) {
  const { t } = useTranslation('reimbursements')
  const choices = useSettlementChoices()
  const writing = useSettlementWriting()
  const [before] = useState(() => toSettlementForm(reimbursement, writing))
  const draft = useSettlementForm(() => before)
  const { mutate, isPending } = useUpdateReimbursement()
  const submit = () => {
    const values = draft.read()
    if (!values) return
    const changes = changedValues(before, draft.form, values)
    if (Object.keys(changes).length === 0) return onDone()
    mutate(
      { seen: reimbursement, changes },
      {
        onSuccess: () => {
          notifyDone(t('edit.done'))
          onDone()
        },
        onError: (error) => draft.refuse(error instanceof ApiError ? error.fields : {}, failureText(error)),
      },
    )
  }
  return (
    <RecordForm
      label={t('edit.title')}
      error={draft.errors.form}
      isSending={isPending}
      submitLabel={t('edit.save')}
      focus="[data-field=amount]"
      onSubmit={submit}
      onCancel={onDone}
    >
      <SettlementFields
        form={draft.form}
        onChange={draft.change}
        errors={draft.errors}
        choices={choices}
        receiverLabel={t('column.receiver')}
        isPartyFixed={reimbursement.expenses.length > 0}
      />
    </RecordForm>
  )
}
