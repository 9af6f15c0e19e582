import type { Expense } from '#shared/contract/expenses'
import type { AttachmentRepresentation } from '#shared/contract/representations'
import { RecordTabs, type RecordTabState } from '../../records/conversation/record-tabs'
import { DetailsPanel } from './details-panel'
import type { ExpenseAccess } from './expense-access'

/** What the tabs are given. */
export type ExpenseTabsProps = {
  expense: Expense
  access: ExpenseAccess
  attachments: readonly AttachmentRepresentation[]
  tabs: RecordTabState
  isEditing: boolean
  onEdit: (isEditing: boolean) => void
  onShowReceipt: (index: number) => void
  onClose: () => void
}

/** Details, comments and activity of an expense. */
export function ExpenseTabs({ tabs, ...props }: ExpenseTabsProps) {
  const { expense, access, onClose } = props
  const { user_id, relation, seesAll } = access
  return (
    <RecordTabs
      state={tabs}
      record={{ ...expense, kind: 'expense' }}
      viewer={{ user_id, role: relation.role, keepsSeeing: seesAll || relation.is_receiver }}
      onLeft={onClose}
    >
      <DetailsPanel {...props} />
    </RecordTabs>
  )
}
