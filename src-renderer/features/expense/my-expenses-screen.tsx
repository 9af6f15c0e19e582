import { Button, SegmentedControl } from '@mantine/core'
import { MessageSquare, Paperclip, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useSearch } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import { expenseStatuses, type ExpenseStatus } from '#shared/domain/expense-status'
import { type ExpenseFilter, expenseKeys, readExpensePage, useExpenseCount, useExpenseSummary } from '../../api/expenses'
import { usePagedRows } from '../../api/pages'
import { useSession } from '../../api/session'
import { usePreferences } from '../../state/preferences'
import { ExportAct } from '../../records/export/export-act'
import { ColumnMenu } from '../../ui/grid/column-menu'
import { ClosedMark } from '../../records/expense/closed-mark'
import { CountedAmount } from '../../records/expense/counted-amount'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import { formatCount } from '../../ui/values/format'
import { dateColumn, descriptionColumn, statusColumn, tagsColumn } from '../../records/expense/fact-columns'
import type { GridColumn } from '../../ui/grid/grid-types'
import { KeyHint } from '../../ui/keys/key-hint'
import { plainColumns } from '../../records/expense/plain-columns'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { useRowFocus } from '../../ui/grid/use-row-focus'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { MyDrafts } from './my-drafts'
import classes from './my-expenses.module.css'

const gridId = 'my-expenses'
const sort = '-occurred_at,-id'

/** The user's own expenses, newest first, with their drafts above; `?status=` keeps one status. */
export function MyExpensesScreen() {
  const { t } = useTranslation('my-expenses')
  const { t: tStatus } = useTranslation('status')
  const { data: session } = useSession()
  const [, navigate] = useLocation()
  const wanted = new URLSearchParams(useSearch()).get('status')
  const status = expenseStatuses.find((known) => known === wanted)
  const capture = () => navigate('/capture')
  useShortcuts({ scope: 'my-expenses', title: t('title') }, [{ id: 'new', keys: 'n', label: t('new'), run: capture }])
  if (!session) return <SkeletonRows count={12} />
  const own = { receiver_id_eq: session.user.id }
  const filter = status ? { ...own, status_eq: status } : own
  return (
    <div className={classes.screen}>
      <div className={classes.bar}>
        <StatusFilter
          own={own}
          status={status}
          onChange={(value) => navigate(value ? `/my-expenses?status=${value}` : '/my-expenses', { replace: true })}
        />
        <span className={classes.spring} />
        <OwnExport filter={filter} words={status ? tStatus(status) : t('all')} />
        <OwnColumnMenu />
        <Button leftSection={<Plus size={14} aria-hidden />} rightSection={<KeyHint keys="n" />} onClick={capture}>
          {t('new')}
        </Button>
      </div>
      <MyDrafts onOpen={(id) => navigate(`/capture?draft=${id}`)} />
      <OwnExpenses key={status ?? 'all'} filter={filter} onNew={capture} isFiltered={status !== undefined} />
    </div>
  )
}

function StatusFilter({
  own,
  status,
  onChange,
}: {
  own: ExpenseFilter
  status: ExpenseStatus | undefined
  onChange: (status: ExpenseStatus | null) => void
}) {
  const { t } = useTranslation('my-expenses')
  const { t: tStatus } = useTranslation('status')
  const language = usePreferences((state) => state.language)
  const { data } = useExpenseSummary(own, 'status')
  const counts = new Map(data?.groups.map(({ key, count }) => [key, count]))
  const shown = expenseStatuses.filter((known) => known === status || (counts.get(known) ?? 0) > 0)
  if (shown.length === 0) return null
  const label = (text: string, count: number) => (
    <>
      {text} <span className="tabular">{formatCount(count, language)}</span>
    </>
  )
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('filter')}
      value={status ?? 'all'}
      onChange={(value) => onChange(expenseStatuses.find((known) => known === value) ?? null)}
      data={[
        { value: 'all', label: label(t('all'), total) },
        ...shown.map((known) => ({ value: known, label: label(tStatus(known), counts.get(known) ?? 0) })),
      ]}
    />
  )
}

function OwnExport({ filter, words }: { filter: ExpenseFilter; words: string }) {
  return <ExportAct list={{ filter, words, count: useExpenseCount(filter).data }} />
}

function useOwnColumns(): GridColumn<Expense>[] {
  const { t } = useTranslation('my-expenses')
  return useMemo(
    () => [
      dateColumn(t('column.date'), 88),
      descriptionColumn(t('column.description'), t('untitled'), { width: 200, minWidth: 140 }),
      tagsColumn(t('column.tags'), { width: 160, minWidth: 80 }),
      statusColumn(t('column.status')),
      { id: 'marks', header: t('column.marks'), width: 64, whole: true, yields: 2, render: (expense) => <Marks expense={expense} /> },
      {
        id: 'amount',
        header: t('column.amount'),
        width: 136,
        whole: true,
        align: 'end',
        render: (expense) => <CountedAmount expense={expense} />,
      },
      ...plainColumns<Expense>(t, (expense) => expense),
    ],
    [t],
  )
}

function OwnColumnMenu() {
  return <ColumnMenu gridId={gridId} columns={useOwnColumns()} />
}

function Marks({ expense }: { expense: Expense }) {
  const { attachments_count, comments_count } = expense
  const { t } = useTranslation('my-expenses')
  const mark = (Icon: typeof Paperclip, count: number, label: string) =>
    count > 0 && (
      <span className={classes.mark} title={label}>
        <Icon size={12} aria-hidden /> <span aria-hidden>{count}</span>
        <span className="visually-hidden">{label}</span>
      </span>
    )
  return (
    <span className={`${classes.marks} tabular`}>
      <ClosedMark expense={expense} />
      {mark(Paperclip, attachments_count, t('receipts', { count: attachments_count }))}
      {mark(MessageSquare, comments_count, t('comments', { count: comments_count }))}
    </span>
  )
}

function OwnExpenses({ filter, isFiltered, onNew }: { filter: ExpenseFilter; isFiltered: boolean; onNew: () => void }) {
  const { t } = useTranslation('my-expenses')
  const [, navigate] = useLocation()
  const columns = useOwnColumns()
  const { count, getRow, onRangeChange, error, retry } = usePagedRows<Expense>({
    queryKey: expenseKeys.list(filter, sort),
    read: async (page, signal) => {
      const { count: all, expenses } = await readExpensePage({ filter, sort, page }, signal)
      return { count: all, rows: expenses }
    },
  })
  const [focusIndex, setFocusIndex] = useRowFocus(`my-expenses ${JSON.stringify(filter)}`, count ?? 0)
  const open = (index: number) => {
    const row = getRow(index)
    if (row) navigate(`/expenses/${row.id}`)
  }
  if (error) return <ErrorState happened={t('error')} kept={t('errorKept')} onRetry={retry} error={error} />
  if (count === undefined) return <SkeletonRows count={12} />
  if (count === 0)
    return <EmptyState sentence={isFiltered ? t('emptyStatus') : t('empty')} action={{ label: t('new'), run: onNew, keys: 'n' }} />
  return (
    <VirtualGrid
      gridId={gridId}
      label={t('title')}
      columns={columns}
      rowCount={count}
      getRow={getRow}
      focusIndex={focusIndex}
      onFocusIndex={setFocusIndex}
      onOpen={open}
      onRangeChange={onRangeChange}
    />
  )
}
