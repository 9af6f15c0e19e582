import { CircleAlert, Hourglass, MessageSquare, Paperclip, RefreshCw } from 'lucide-react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { useIsUnconfirmed } from '../../state/unconfirmed'
import { Amount } from '../../ui/amount'
import type { GridColumn } from '../../ui/grid-types'
import { Instant } from '../../ui/instant'
import { StatusBadge } from '../../ui/status-badge'
import { UnconfirmedMark } from '../../ui/unconfirmed-mark'
import { changesOf } from './changes'
import classes from './review.module.css'
import type { ReviewRow, RowState } from './row-states'

type Column = GridColumn<ReviewRow>

/** The columns of the review list, in the user's language. Beside the open detail, which says the rest, there is less room. */
export function reviewColumns(t: TFunction<'review'>): Column[] {
  return [
    {
      id: 'occurred_at',
      header: t('column.occurred_at'),
      width: 108,
      minWidth: 96,
      isSortable: true,
      render: ({ expense }) => <Instant value={expense.occurred_at} />,
    },
    {
      id: 'description',
      header: t('column.description'),
      width: 180,
      minWidth: 100,
      fill: true,
      fixed: true,
      isSortable: true,
      render: (row) => <Description row={row} />,
    },
    {
      id: 'receiver',
      header: t('column.receiver'),
      width: 150,
      minWidth: 88,
      render: ({ expense }) => expense.receiver.name,
    },
    {
      id: 'tags',
      header: t('column.tags'),
      width: 140,
      minWidth: 96,
      yields: 1,
      render: ({ expense }) => <span title={expense.tags}>{expense.tags}</span>,
    },
    {
      id: 'amount',
      header: t('column.amount'),
      width: 200,
      minWidth: 190,
      align: 'end',
      fixed: true,
      isSortable: true,
      render: ({ expense }) => <ExpenseAmount expense={expense} />,
    },
    {
      id: 'status',
      header: t('column.status'),
      width: 176,
      minWidth: 112,
      isSortable: true,
      render: ({ expense, state }) => (
        <span className={`${classes.badge} ${state?.kind === 'settled' ? classes.decided : ''}`}>
          <StatusBadge status={expense.status} />
        </span>
      ),
    },
    { id: 'marks', header: t('column.marks'), width: 84, minWidth: 76, yields: 2, render: (row) => <Marks row={row} /> },
  ]
}

/** What was approved beside what was claimed wherever they differ. */
export function ExpenseAmount({ expense }: { expense: Expense }) {
  const { amount, currency, approved_amount, approved_amount_currency } = expense
  if (approved_amount === null) return <Amount amount={amount} currency={currency} />
  return <Amount amount={approved_amount} currency={approved_amount_currency ?? currency} claimed={{ amount, currency }} />
}

function Description({ row: { expense, state } }: { row: ReviewRow }) {
  const { t } = useTranslation('review')
  return (
    <span className={classes.text}>
      {state && <Reason state={state} />}
      <span
        className={`${classes.clip} ${expense.description === null ? classes.none : ''}`}
        title={expense.description ?? undefined}
      >
        {expense.description ?? t('noDescription')}
      </span>
    </span>
  )
}

function Reason({ state }: { state: RowState }) {
  const { t } = useTranslation('review')
  if (state.kind === 'refused') {
    const reason = state.reason === '' ? t('row.noAnswer') : state.reason
    return (
      <span className={classes.reason} title={reason}>
        <CircleAlert size={14} aria-hidden />
        <span className={classes.clip}>{reason}</span>
      </span>
    )
  }
  if (state.kind !== 'changed') return null
  return <ChangedReason seen={state.seen} expense={state.expense} />
}

function ChangedReason({ seen, expense }: { seen: Expense; expense: Expense }) {
  const { t } = useTranslation('review')
  const text = t('row.changed', {
    what: changesOf(seen, expense)
      .map((part) => t(`changed.${part}`))
      .join(', '),
  })
  return (
    <span className={classes.reason} title={text}>
      <RefreshCw size={14} aria-hidden />
      <span className={classes.clip}>{text}</span>
    </span>
  )
}

function Marks({ row: { expense, state } }: { row: ReviewRow }) {
  const { t } = useTranslation('review')
  const isWaiting = useIsUnconfirmed(expense)
  return (
    <span className={classes.marks}>
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
