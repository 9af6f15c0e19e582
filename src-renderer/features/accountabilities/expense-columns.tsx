import type { TFunction } from 'i18next'
import { HandCoins } from 'lucide-react'
import { Link } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import { Amount } from '../../ui/amount'
import type { GridColumn } from '../../ui/grid-types'
import { Instant } from '../../ui/instant'
import { StatusBadge } from '../../ui/status-badge'
import classes from './accountabilities.module.css'

/** Which columns are wanted: few, beside other things; or, once all are liquidated, what paid them instead of their status. */
export type ColumnView = { readonly isBrief: boolean; readonly isFinished?: boolean }

/** The columns of a list of expenses, in the user's language. */
export function expenseColumns(t: TFunction<'accountabilities'>, view: ColumnView): GridColumn<Expense>[] {
  const { isBrief, isFinished = false } = view
  const receiver: GridColumn<Expense> = {
    id: 'receiver',
    header: t('column.receiver'),
    width: 104,
    render: (expense) => <span title={expense.receiver.name}>{expense.receiver.name}</span>,
  }
  const tags: GridColumn<Expense> = {
    id: 'tags',
    header: t('column.tags'),
    width: 80,
    render: (expense) => <span title={expense.tags}>{expense.tags}</span>,
  }
  return [
    {
      id: 'occurred_at',
      header: t('column.date'),
      width: 96,
      render: ({ occurred_at }) => <Instant value={occurred_at} />,
    },
    {
      id: 'description',
      header: t('column.description'),
      width: 80,
      fill: true,
      fixed: true,
      render: ({ description }) => description ?? <span className={classes.quiet}>{t('untitled')}</span>,
    },
    ...(isBrief ? [] : [receiver]),
    ...(isBrief ? [] : [tags]),
    isFinished ? paidBy(t) : status(t),
    {
      id: 'amount',
      header: t('column.amount'),
      width: 120,
      align: 'end',
      fixed: true,
      render: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
    },
    ...(isBrief ? [] : [approved(t)]),
  ]
}

function status(t: TFunction<'accountabilities'>): GridColumn<Expense> {
  return {
    id: 'status',
    header: t('column.status'),
    width: 176,
    render: (expense) => <StatusBadge status={expense.status} />,
  }
}

function paidBy(t: TFunction<'accountabilities'>): GridColumn<Expense> {
  return {
    id: 'paid_by',
    header: t('column.paidBy'),
    width: 176,
    render: ({ reimbursement_id }) =>
      reimbursement_id !== null && (
        <Link href={`/reimbursements/${reimbursement_id}`} className={classes.link} onClick={(event) => event.stopPropagation()}>
          {t('reimbursement', { id: reimbursement_id })}
        </Link>
      ),
  }
}

function approved(t: TFunction<'accountabilities'>): GridColumn<Expense> {
  return {
    id: 'approved_amount',
    header: t('column.approved'),
    width: 140,
    align: 'end',
    render: ({ approved_amount, approved_amount_currency, liquidate_through_advancement }) => (
      <span className={classes.approved}>
        {liquidate_through_advancement && (
          <span className={classes.mark} title={t('throughAdvancement')}>
            <HandCoins size={14} aria-hidden />
            <span className="visually-hidden">{t('throughAdvancement')}</span>
          </span>
        )}
        {approved_amount !== null && approved_amount_currency !== null && (
          <Amount amount={approved_amount} currency={approved_amount_currency} />
        )}
      </span>
    ),
  }
}
