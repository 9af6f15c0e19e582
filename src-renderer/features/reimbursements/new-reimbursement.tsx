import { useTranslation } from 'react-i18next'
import { useDeleteReimbursement, usePay } from '../../api/reimbursements'
import { NewSettlement } from '../../records/settlement/settlement-forms'
import type { OfferUndo } from '../../ui/feedback/use-undo'

type NewReimbursementProps = { organizationId: number; offerUndo: OfferUndo; onClose: () => void; onMade: (id: number) => void }

/** A reimbursement that pays no expense of the system. */
export function NewReimbursement({ onMade, ...pane }: NewReimbursementProps) {
  const { t } = useTranslation('reimbursements')
  const record = usePay()
  const { mutateAsync: remove } = useDeleteReimbursement()
  return (
    <NewSettlement
      form="reimbursement-new"
      {...pane}
      words={{ title: t('new.title'), hint: t('new.hint'), action: t('pay.action'), done: (made) => t('pay.done', made) }}
      record={record}
      remove={remove}
      onMade={({ id }) => onMade(id)}
    />
  )
}
