import { CircleAlert, Hourglass, MessageSquare, RefreshCw } from 'lucide-react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useIsUnconfirmed } from '#renderer/state/unconfirmed'
import { ClosedMark } from '#renderer/records/expense/closed-mark'
import { CountedAmount } from '#renderer/records/expense/counted-amount'
import type { GridColumn } from '#renderer/ui/grid/grid-types'
import { usePreferences } from '#renderer/state/preferences'
import { ExpenseName } from '#renderer/records/expense/expense-name'
import { PersonAvatar } from '#renderer/ui/values/person-avatar'
import { Instant } from '#renderer/ui/values/instant'
import { ReceiptMark } from '#renderer/records/expense/receipt-mark'
import { plainColumns } from '#renderer/records/expense/plain-columns'
import { StatusBadge } from '#renderer/ui/values/status-badge'
import { UnconfirmedMark } from '#renderer/records/expense/unconfirmed-mark'
import classes from '../review.module.css'
import { isOfOneStatus, type Queue } from '#renderer/records/filters/review-view'
import { isUndecided } from '#shared/domain/expense-status'
import { findingColumns, Findings } from './finding-columns'
import { useReasonText } from './row-note'
import type { ExpenseRow } from '#renderer/records/expense/expense-store'

type Column = GridColumn<ExpenseRow>

/** What is listed: a queue; whether its rows have two lines, as they have less room; and whether that is because a detail is open next to it. */
type Listed = { readonly queue: Queue; readonly hasTwoLines: boolean; readonly isDetailOpen: boolean }

/** Room for two marks: that of a decision under way comes next to that of the receipts, and moves nothing. */
const twoMarksPx = 50

/** The columns that are a part of the second line where a row has one. */
const secondLine = ['flags', 'marks']

/** The columns of a queue, in the user's language: the queue itself says a status that all of its rows have. */
export function reviewColumns(t: TFunction<'review'>, listed: Listed): Column[] {
  const without = [...(isOfOneStatus(listed.queue) ? ['status'] : []), ...(listed.hasTwoLines ? secondLine : [])]
  return allColumns(t, listed).filter(({ id }) => !without.includes(id))
}

function allColumns(t: TFunction<'review'>, listed: Listed): Column[] {
  const { isDetailOpen } = listed
  return [
    {
      id: 'occurred_at',
      header: t('column.occurred_at'),
      width: 104,
      whole: true,
      isSortable: true,
      render: ({ expense }) => <Instant value={expense.occurred_at} />,
    },
    {
      id: 'receiver',
      header: t('column.receiver'),
      ...(isDetailOpen ? { width: whoPx, minWidth: whoPx } : { width: 184, minWidth: 104 }),
      render: ({ expense }) => <Who name={expense.receiver.name} isShort={isDetailOpen} />,
    },
    {
      id: 'description',
      header: t('column.description'),
      width: 420,
      minWidth: isDetailOpen ? 120 : 140,
      fill: true,
      isMeasured: true,
      fixed: true,
      isSortable: true,
      render: (row) => <Description row={row} {...listed} />,
    },
    {
      id: 'tags',
      header: t('column.tags'),
      width: 160,
      minWidth: 96,
      yields: 3,
      render: ({ expense }) => <span title={expense.tags}>{expense.tags}</span>,
    },
    ...findingColumns(t),
    { id: 'marks', header: t('column.marks'), width: 96, minWidth: twoMarksPx, whole: true, render: (row) => <Marks row={row} /> },
    {
      id: 'amount',
      header: t('column.amount'),
      width: 136,
      whole: true,
      align: 'end',
      fixed: true,
      isSortable: true,
      render: ({ expense }) => <CountedAmount expense={expense} />,
    },
    {
      id: 'status',
      header: t('column.status'),
      width: 176,
      // Where there is no room for its name, its colour stays: the cell's padding and the dot.
      minWidth: 30,
      collapses: true,
      isSortable: true,
      render: ({ expense }) => (
        <span className={classes.badge}>
          <StatusBadge status={expense.status} />
        </span>
      ),
    },
    ...plainColumns<ExpenseRow>(t, ({ expense }) => expense).map((column) => ({ ...column, isSortable: column.id === 'supplier_name' })),
  ]
}

/** The initials of a person and the padding of their cell. */
const whoPx = 38

/** Whose expense it is. `isShort`: by their initials, their name on hover and for screen readers. */
function Who({ name, isShort }: { name: string; isShort: boolean }) {
  return (
    <span className={classes.who} title={name}>
      <PersonAvatar name={name} sizePx={22} />
      <span className={isShort ? 'visually-hidden' : classes.clip}>{name}</span>
    </span>
  )
}

/** Its supplier and what it was for, and at the end or on a second line what is to be known of it: a finding, or what came of an act. */
function Description({ row, queue, hasTwoLines }: { row: ExpenseRow } & Listed) {
  const { t } = useTranslation('review')
  const { expense, state } = row
  const hidden = usePreferences(({ columns }) => columns['review']?.hidden)
  const showsHere = (column: string) => hasTwoLines && hidden?.includes(column) !== true
  const hasLeft = isOfOneStatus(queue) && expense.status !== queue
  // What was taken back waits again.
  const isDone = hasLeft || (state?.kind === 'settled' && !isUndecided(expense.status))
  return (
    <span className={classes.text} data-two-lines={hasTwoLines || undefined} data-done={isDone || undefined}>
      <ExpenseName expense={expense} untitled={t('noDescription')} />
      {hasLeft ? <StatusBadge status={expense.status} /> : showsHere('flags') && <Findings expense={expense} isShort />}
      {state && <Reason row={row} />}
      {showsHere('marks') && <Marks row={row} />}
    </span>
  )
}

/** Why the expense was left: as much as there is room for, all of it on hover and in its note. */
function Reason({ row }: { row: ExpenseRow }) {
  const text = useReasonText(row)
  if (text === undefined) return null
  const Icon = row.state?.kind === 'changed' ? RefreshCw : CircleAlert
  return (
    <span className={classes.reason} title={text}>
      <Icon size={14} aria-hidden />
      <span className={classes.clip}>{text}</span>
    </span>
  )
}

function Marks({ row: { expense, state } }: { row: ExpenseRow }) {
  const { t } = useTranslation('review')
  const isWaiting = useIsUnconfirmed(expense)
  return (
    <span className={classes.marks}>
      <ClosedMark expense={expense} />
      <ReceiptMark expense={expense} />
      {expense.comments_count > 0 && (
        <span className={classes.mark} title={t('mark.comments', { count: expense.comments_count })}>
          <MessageSquare size={13} aria-hidden />
          <span aria-hidden>{expense.comments_count}</span>
          <span className="visually-hidden">{t('mark.comments', { count: expense.comments_count })}</span>
        </span>
      )}
      {isWaiting && state?.kind !== 'saving' && (
        <span className={classes.mark}>
          <UnconfirmedMark isShort />
        </span>
      )}
      {state?.kind === 'saving' && (
        <span className={classes.mark} title={t('mark.saving')}>
          <Hourglass size={13} aria-hidden />
          <span className="visually-hidden">{t('mark.saving')}</span>
        </span>
      )}
    </span>
  )
}
