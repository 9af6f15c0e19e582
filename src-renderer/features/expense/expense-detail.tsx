import { useTranslation } from 'react-i18next'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { Expense } from '#shared/contract/expenses'
import { ApiError } from '../../api/client'
import { expenseKeys } from '../../api/expenses'
import { useExpenseReadings } from '../../api/readings/expense-readings'
import { useExpense } from '../../records/expense/use-expense'
import type { DetailCommand } from '../../records/expense/detail-slot'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { FlagList } from '../../records/expense/flag-list'
import { useRecordTabs, RecordTabs, type RecordTabState } from '../../records/conversation/record-tabs'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { AttachmentDrop } from './attachment-drop'
import { useExpenseAccess } from './expense-access'
import { ChangedVerdict } from './changed-verdict'
import classes from './expense.module.css'
import { ExpenseHead } from './expense-head'
import { FullView } from './full-view'
import { useKeptAttachments } from './pending-deletes'
import { ReceiptViewer, type ReceiptViewerProps } from './receipt-viewer/receipt-viewer'
import { useReceiptViewer } from './receipt-viewer/use-receipt-viewer'
import { RepeatNotes } from './repeats/repeat-notes'
import { RepeatNotice, isRepeat } from './repeats/repeat-notice'
import { type Said, type SaidField, saidOf } from './said'
import { StatusMoves } from './status-moves'
import { HandedOver } from './handed-over'
import { WhoApproves } from './who-approves'
import { bookedMonth, monthOf } from '#shared/domain/closing/months'
import { ClosedNotice } from '../../records/closed-notice'
import { usePreferences } from '../../state/preferences'
import { formatMonth } from '../../ui/values/format'
import { AddAttachment } from './add-attachment'
import { DetailsPanel, type DetailsPanelProps, EditAct, ExpenseFacts } from './details-panel'

const none: ReadonlyMap<SaidField, readonly Said[]> = new Map()

/** What the detail is given, as a `DetailSlot`. `isPage`: it has the window to itself, and the keys of review are its own. */
export type ExpenseDetailProps = {
  expenseId: number
  onClose: () => void
  command?: DetailCommand | null
  isPage?: boolean
  notice?: ReactNode
}

/** An expense with its receipt, moves, fields, comments and trail: next to a list, or on a separate page. Full size lasts from one expense to the next. */
export function ExpenseDetail({ expenseId, onClose, command = null, isPage = false, notice }: ExpenseDetailProps) {
  const queryClient = useQueryClient()
  const { expense, error, isRead } = useExpense(expenseId)
  const attachments = useKeptAttachments(expense)
  const controls = useReceiptViewer(expenseId, attachments)
  const readings = useExpenseReadings(expenseId, { isEnabled: attachments.length > 0 && expense?.kind === 'monetary' })
  const said = expense ? saidOf(expense, attachments, readings) : none
  const receipts = {
    attachments,
    controls,
    said: [...said.values()].flat(),
    onRetry: () => void queryClient.invalidateQueries({ queryKey: expenseKeys.one(expenseId) }),
  }
  return (
    <>
      {expense ? (
        <LoadedExpense
          expense={expense}
          receipts={receipts}
          said={said}
          onClose={onClose}
          command={command}
          isPage={isPage}
          notice={notice}
        />
      ) : (
        <NoExpense error={error} onRetry={receipts.onRetry} onClose={onClose} />
      )}
      {controls.view.isFull && <FullView {...receipts} expense={isRead ? expense : undefined} error={error} notice={notice} />}
    </>
  )
}

/** The detail of an expense that is not read yet, or cannot be. */
function NoExpense({ error, onRetry, onClose }: { error: Error | null; onRetry: () => void; onClose: () => void }) {
  const { t } = useTranslation('expense')
  if (error instanceof ApiError && error.status === 404)
    return <EmptyState sentence={t('notFound')} action={{ label: t('close'), run: onClose }} />
  if (error) return <ErrorState happened={t('failure.load')} kept={t('failure.kept')} onRetry={onRetry} error={error} />
  return <SkeletonRows count={10} />
}

/** The tab that an expense begins with: its comments, where it has any. One that arrives meanwhile does not change it. */
function beginWith({ id, comments_count }: Expense) {
  return { id, tab: comments_count > 0 ? ('comments' as const) : ('details' as const) }
}

const doneCommands = new WeakSet<DetailCommand>()

/** Carries out each asking of the list once, also one that made the detail appear, and not again when it reappears. */
function useCommand(command: DetailCommand | null, carryOut: (kind: DetailCommand['kind']) => void): void {
  const handle = useEffectEvent((asked: DetailCommand) => {
    if (doneCommands.has(asked)) return
    doneCommands.add(asked)
    carryOut(asked.kind)
  })
  useEffect(() => {
    if (command) handle(command)
  }, [command])
}

function LoadedExpense({
  expense,
  receipts,
  said,
  onClose,
  command,
  isPage,
  notice,
}: {
  expense: Expense
  receipts: Omit<ReceiptViewerProps, 'empty'>
  said: ReadonlyMap<SaidField, readonly Said[]>
  onClose: () => void
  command: DetailCommand | null
  isPage: boolean
  notice: ReactNode
}) {
  const { t } = useTranslation('expense')
  const { attachments, controls } = receipts
  const access = useExpenseAccess(expense)
  const [isEditing, setEditing] = useState(false)
  const [shown, setShown] = useState(() => beginWith(expense))
  if (shown.id !== expense.id) {
    setShown(beginWith(expense))
    setEditing(false)
  }
  const tabs = useRecordTabs(shown.tab)
  const canEdit = access.edit.kind === 'allowed'
  const hasReceipt = () => attachments.length > 0
  const edit = () => setEditing(true)
  const { run } = controls
  useCommand(command, (kind) => {
    if (kind === 'edit' && canEdit) edit()
    else if (kind === 'comment') tabs.comment()
    else if (kind === 'receipt') run({ kind: 'full' })
  })
  useShortcuts({ scope: 'expense', title: t('shortcuts.title') }, [
    { id: 'full', keys: 'space', label: t('receipt.full'), run: () => run({ kind: 'full' }), when: hasReceipt },
    { id: 'previous', keys: '[', label: t('receipt.previous'), run: () => run({ kind: 'receipt', by: -1 }), when: hasReceipt },
    { id: 'next', keys: ']', label: t('receipt.next'), run: () => run({ kind: 'receipt', by: 1 }), when: hasReceipt },
    {
      id: 'zoom-in',
      keys: '+',
      label: t('receipt.zoomIn'),
      run: () => run({ kind: 'view', step: { kind: 'zoom', steps: 1 } }),
      when: hasReceipt,
    },
    {
      id: 'zoom-out',
      keys: '-',
      label: t('receipt.zoomOut'),
      run: () => run({ kind: 'view', step: { kind: 'zoom', steps: -1 } }),
      when: hasReceipt,
    },
    { id: 'whole', keys: '0', label: t('receipt.whole'), run: () => run({ kind: 'view', step: { kind: 'whole' } }), when: hasReceipt },
    { id: 'turn', keys: 'shift+r', label: t('receipt.turn'), run: () => run({ kind: 'view', step: { kind: 'turn' } }), when: hasReceipt },
    { id: 'edit', keys: 'e', label: t('edit.start'), run: edit, when: () => canEdit && !isEditing },
    ...tabs.shortcuts,
    { id: 'close', keys: 'escape', label: t('close'), run: onClose },
  ])
  return (
    <AttachmentDrop expense={expense} isAllowed={canEdit}>
      <ExpenseHead expense={expense} onClose={onClose} isPage={isPage} />
      <div className={classes.middle} data-receipt={attachments.length > 0 || undefined}>
        <div className={attachments.length > 0 ? classes.receipt : classes.noReceipt}>
          <ReceiptViewer {...receipts} empty={<NoReceipt expense={expense} isAllowed={canEdit} />} />
        </div>
        <div className={classes.facts}>
          <div className={classes.scroll}>
            <div className={classes.flags}>
              <FlagList flags={expense.flags} />
              {isRepeat(expense) && <RepeatNotice key={expense.id} expense={expense} access={access} isFound />}
            </div>
            <ExpenseFacts {...{ expense, access, attachments, isEditing, said }} onEdit={setEditing} onShowPlace={controls.showPlace} />
            <ClosedMonth expense={expense} isClosed={access.relation.is_closed === true} />
            {!access.relation.is_closed && <WhoApproves expense={expense} />}
            <HandedOver expense={expense} />
            <ChangedVerdict expense={expense} />
            <ExpenseTabs {...{ expense, access, attachments, tabs, isEditing, onClose }} onShowReceipt={controls.showReceipt} />
          </div>
          {/* What arrives later than the expense is below everything: a button must not move under a press. */}
          <div className={classes.notes}>
            <RepeatNotes key={expense.id} expense={expense} access={access} />
            {notice}
          </div>
        </div>
      </div>
      <div className={classes.bar}>
        <StatusMoves key={expense.id} expense={expense} access={access} hasKeys={isPage} />
        {!isEditing && <EditAct access={access} onEdit={edit} />}
      </div>
    </AttachmentDrop>
  )
}

/** Who closed the month of an expense and when, and that an expense arrived late. */
function ClosedMonth({ expense, isClosed }: { expense: Expense; isClosed: boolean }) {
  const { t } = useTranslation('closings')
  const language = usePreferences((state) => state.language)
  const month = bookedMonth(expense)
  if (!isClosed && expense.booked_on === null) return null
  const words = (value: string) => formatMonth(value, language)
  return (
    <div className={classes.whoApproves} role="note">
      {expense.booked_on !== null && <p>{t('expense.late', { own: words(monthOf(expense.occurred_at)), month: words(month) })}</p>}
      {isClosed && <ClosedNotice organizationId={expense.payer.id} month={month} isExpense />}
    </div>
  )
}

/** Where the receipt would be: that there is none, and how to add one. */
function NoReceipt({ expense, isAllowed }: { expense: Expense; isAllowed: boolean }) {
  const { t } = useTranslation('expense')
  return (
    <div className={classes.noReceiptBox}>
      <span className={classes.quiet}>{isAllowed ? t('attachments.noneYet') : t('attachments.none')}</span>
      {isAllowed && <AddAttachment expense={expense} />}
    </div>
  )
}

/** What the tabs are given. */
type ExpenseTabsProps = DetailsPanelProps & { tabs: RecordTabState }

/** Details, comments and activity of an expense. */
function ExpenseTabs({ tabs, ...props }: ExpenseTabsProps) {
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
