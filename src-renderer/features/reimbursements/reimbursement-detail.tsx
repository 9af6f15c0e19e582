import { useTranslation } from 'react-i18next'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { useDeleteReimbursement, useReimbursement, useUpdateReimbursement } from '../../api/reimbursements'
import { NoSettlement, SettlementDetail } from '../../records/settlement/settlement-detail'
import { ReimbursementFacts } from './reimbursement-facts'
import { EditSettlement } from '../../records/settlement/settlement-forms'

/** One reimbursement: what was paid, the expenses that it paid, comments and trail. */
export function ReimbursementDetail({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, refetch } = useReimbursement(id)
  if (data) return <LoadedReimbursement reimbursement={data} onClose={onClose} />
  return <NoSettlement kind="reimbursement" error={error} onRetry={() => void refetch()} onClose={onClose} />
}

function LoadedReimbursement({ reimbursement, onClose }: { reimbursement: Reimbursement; onClose: () => void }) {
  const { t } = useTranslation('reimbursements')
  const { mutateAsync: remove } = useDeleteReimbursement()
  const count = reimbursement.expenses.length
  return (
    <SettlementDetail
      kind="reimbursement"
      settlement={reimbursement}
      form={(onDone) => <ReimbursementForm reimbursement={reimbursement} onDone={onDone} />}
      facts={(onEdit) => <ReimbursementFacts reimbursement={reimbursement} onEdit={onEdit} />}
      deletion={{ consequences: count === 0 ? t('delete.plain') : t('delete.expenses', { count }), run: () => remove(reimbursement) }}
      closeLabel={t('close')}
      onClose={onClose}
      onLeft={onClose}
    />
  )
}

/** Edits a reimbursement in place. One that paid expenses keeps its receiver and currency: they are the expenses'. */
function ReimbursementForm({ reimbursement, onDone }: { reimbursement: Reimbursement; onDone: () => void }) {
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
