import { Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import type { AttachmentRepresentation } from '#shared/contract/representations'
import { usePreferences } from '../../state/preferences'
import { formatCount } from '../../ui/format'
import { ActivityPanel } from './activity-panel'
import { CommentsPanel } from './comments-panel'
import { DetailsPanel } from './details-panel'
import type { ExpenseAccess } from './expense-access'
import classes from './expense.module.css'

const tabs = ['details', 'comments', 'activity'] as const

/** A tab of the detail. */
export type ExpenseTab = (typeof tabs)[number]

/** What the tabs are given. */
export type ExpenseTabsProps = {
  expense: Expense
  access: ExpenseAccess
  attachments: readonly AttachmentRepresentation[]
  tab: ExpenseTab
  onTab: (tab: ExpenseTab) => void
  isEditing: boolean
  onEdit: (isEditing: boolean) => void
  isWriting: boolean
  onWriting: (isWriting: boolean) => void
  onShowReceipt: (index: number) => void
  onClose: () => void
}

/** Details, comments and activity of an expense, with how many there are. */
export function ExpenseTabs(props: ExpenseTabsProps) {
  const { t } = useTranslation('expense')
  const language = usePreferences((state) => state.language)
  const { expense, access, tab, onTab } = props
  const counts = { details: 0, comments: expense.comments_count, activity: expense.activities_count }
  return (
    <Tabs
      value={tab}
      onChange={(value) => onTab(tabs.find((known) => known === value) ?? 'details')}
      keepMounted={false}
      classNames={{ root: classes.tabs, list: classes.tabList, tab: classes.tab }}
    >
      <Tabs.List aria-label={t('tabs.label')}>
        {tabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`tabs.${name}`)}
            {counts[name] > 0 && <span className={`${classes.tabCount} tabular`}>{formatCount(counts[name], language)}</span>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="details" className={classes.tabPanel}>
        <DetailsPanel {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="comments" className={classes.tabPanel}>
        <CommentsPanel
          key={expense.id}
          expense={expense}
          access={access}
          isWriting={props.isWriting}
          onWritingStarted={() => props.onWriting(false)}
          onClose={props.onClose}
        />
      </Tabs.Panel>
      <Tabs.Panel value="activity" className={classes.tabPanel}>
        <ActivityPanel expense={expense} />
      </Tabs.Panel>
    </Tabs>
  )
}
