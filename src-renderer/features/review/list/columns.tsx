import { CircleAlert, FileX, Hourglass, MessageSquare, Paperclip, RefreshCw } from 'lucide-react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useIsUnconfirmed } from '#renderer/state/unconfirmed'
import { ClosedMark } from '#renderer/records/expense/closed-mark'
import { CountedAmount } from '#renderer/records/expense/counted-amount'
import type { GridColumn } from '#renderer/ui/grid/grid-types'
import { Instant } from '#renderer/ui/values/instant'
import { plainColumns } from '#renderer/records/expense/plain-columns'
import { StatusBadge } from '#renderer/ui/values/status-badge'
import { UnconfirmedMark } from '#renderer/records/expense/unconfirmed-mark'
import classes from '../review.module.css'
import { isOfOneStatus, type Queue } from '#renderer/records/filters/review-view'
import { findingColumns } from './finding-columns'
import { useReasonText } from './row-note'
import type { ExpenseRow } from '#renderer/records/expense/expense-store'
import { titleOf } from '#shared/domain/suppliers/purchase'

type Column = GridColumn<ExpenseRow>

/** What is listed: a queue, and whether a detail is open next to it, which names the status and needs the room. */
type Listed = { readonly queue: Queue; readonly isDetailOpen: boolean }

/** The columns of a queue, in the user's language: where all are of one status, it is a dot in front of the description. */
export function reviewColumns(t: TFunction<'review'>, listed: Listed): Column[] {
  return allColumns(t, listed).filter(({ id }) => id !== 'status' || !isOfOneStatus(listed.queue))
}

function allColumns(t: TFunction<'review'>, listed: Listed): Column[] {
  return [
    {
      id: 'occurred_at',
      header: t('column.occurred_at'),
      width: 104,
      whole: true,
      yields: 6,
      isSortable: true,
      render: ({ expense }) => <Instant value={expense.occurred_at} />,
    },
    {
      id: 'description',
      header: t('column.description'),
      width: 340,
      minWidth: 140,
      fill: true,
      isMeasured: true,
      fixed: true,
      isSortable: true,
      render: (row) => <Description row={row} {...listed} />,
    },
    {
      id: 'receiver',
      header: t('column.receiver'),
      width: 184,
      minWidth: 104,
      render: ({ expense }) => <span title={expense.receiver.name}>{expense.receiver.name}</span>,
    },
    {
      id: 'tags',
      header: t('column.tags'),
      width: 160,
      minWidth: 96,
      yields: 3,
      render: ({ expense }) => <span title={expense.tags}>{expense.tags}</span>,
    },
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
      render: (row) => <Status row={row} />,
    },
    { id: 'marks', header: t('column.marks'), width: 96, whole: true, yields: 4, render: (row) => <Marks row={row} /> },
    ...findingColumns(t),
    ...plainColumns<ExpenseRow>(t, ({ expense }) => expense).map((column) =>
      column.id === 'supplier_name' ? { ...column, isOptional: false, isSortable: true, yields: 2 } : column,
    ),
  ]
}

function Status({ row: { expense, state } }: { row: ExpenseRow }) {
  return (
    <span className={`${classes.badge} ${state?.kind === 'settled' ? classes.decided : ''}`}>
      <StatusBadge status={expense.status} />
    </span>
  )
}

/** A status that all rows have: a dot, and its name on the row that has the focus. */
function StatusDot({ row: { expense } }: { row: ExpenseRow }) {
  return (
    <span className={classes.dot} aria-hidden>
      <StatusBadge status={expense.status} />
    </span>
  )
}

/** What it was for. A row that has left its queue, which has no column for the status, says here where to. */
function Description({ row, queue, isDetailOpen }: { row: ExpenseRow } & Listed) {
  const { t } = useTranslation('review')
  const { expense, state } = row
  const hasLeft = expense.status !== queue
  const title = titleOf(expense)
  return (
    <span className={classes.text}>
      {isOfOneStatus(queue) && (hasLeft ? <Status row={row} /> : !isDetailOpen && <StatusDot row={row} />)}
      {state && <Reason row={row} />}
      <span className={`${classes.clip} ${title === undefined ? classes.none : ''}`} title={title}>
        {title ?? t('noDescription')}
      </span>
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
      {expense.attachments_count === 0 && (
        <span className={classes.mark} title={t('mark.noReceipt')}>
          <FileX size={13} aria-hidden className={classes.missing} />
          <span className="visually-hidden">{t('mark.noReceipt')}</span>
        </span>
      )}
      {expense.attachments_count > 0 && (
        <span className={classes.mark} title={t('mark.receipts', { count: expense.attachments_count })}>
          <Paperclip size={13} aria-hidden />
          {expense.attachments_count}
          <span className="visually-hidden">{t('mark.receipts', { count: expense.attachments_count })}</span>
        </span>
      )}
      {expense.comments_count > 0 && (
        <span className={classes.mark} title={t('mark.comments', { count: expense.comments_count })}>
          <MessageSquare size={13} aria-hidden />
          {expense.comments_count}
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
