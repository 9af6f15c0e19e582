import { RecordTabs, type RecordTabState } from '../../records/conversation/record-tabs'
import { DetailsPanel, type DetailsPanelProps } from './details-panel'

/** What the tabs are given. */
export type ExpenseTabsProps = DetailsPanelProps & { tabs: RecordTabState }

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
