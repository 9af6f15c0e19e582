import { useTranslation } from 'react-i18next'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { useUpdateReimbursement } from '../../api/reimbursements'
import { EditSettlement } from '../../records/settlement/settlement-forms'

/** Edits a reimbursement in place. One that paid expenses keeps its receiver and currency: they are the expenses'. */
export function ReimbursementForm({ reimbursement, onDone }: { reimbursement: Reimbursement; onDone: () => void }) {
  const { t } = useTranslation('reimbursements')
  const { mutate, isPending } = useUpdateReimbursement()
  return (
    <EditSettlement
      form="reimbursement-edit"
      settlement={reimbursement}
      title={t('edit.title')}
      isPartyFixed={reimbursement.expenses.length > 0}
      isSending={isPending}
      send={(changes, handlers) => mutate({ seen: reimbursement, changes }, handlers)}
      onDone={onDone}
    />
  )
}
