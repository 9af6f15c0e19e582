import type { TFunction } from 'i18next'
import { HandCoins } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import { Amount } from '../../ui/values/amount'
import { dateColumn, descriptionColumn, statusColumn, tagsColumn } from '../../records/expense/fact-columns'
import type { GridColumn } from '../../ui/grid/grid-types'
import classes from './accountabilities.module.css'

/**
 * The context of a list of expenses, in which it can omit columns: `all` of an accountability; `paid`, once they are
 * liquidated, with their payment instead of their status; `choosing` among those of one receiver; `narrow`, next to other content.
 */
export type ColumnView = 'all' | 'paid' | 'choosing' | 'narrow'

const without: Readonly<Record<ColumnView, readonly string[]>> = {
  all: ['paid_by'],
  paid: ['status'],
  choosing: ['receiver', 'approved_amount', 'paid_by'],
  narrow: ['receiver', 'approved_amount', 'paid_by', 'tags'],
}

/** The columns of a list of expenses, in the user's language. */
export function expenseColumns(t: TFunction<'accountabilities'>, view: ColumnView): GridColumn<Expense>[] {
  return [...factColumns(t), ...moneyColumns(t)].filter(({ id }) => !without[view].includes(id))
}

function factColumns(t: TFunction<'accountabilities'>): GridColumn<Expense>[] {
  return [
    dateColumn(t('column.date'), 96),
    descriptionColumn(t('column.description'), t('untitled'), { width: 280, minWidth: 160 }),
    {
      id: 'receiver',
      header: t('column.receiver'),
      width: 176,
      minWidth: 96,
      // Usually the same in all rows.
      yields: 1,
      render: ({ receiver }) => <span title={receiver.name}>{receiver.name}</span>,
    },
    tagsColumn(t('column.tags'), { width: 136, minWidth: 64 }),
    statusColumn(t('column.status')),
  ]
}

function moneyColumns(t: TFunction<'accountabilities'>): GridColumn<Expense>[] {
  return [
    { id: 'paid_by', header: t('column.paidBy'), width: 160, whole: true, render: (expense) => <PaidBy expense={expense} /> },
    {
      id: 'amount',
      header: t('column.amount'),
      width: 120,
      whole: true,
      align: 'end',
      fixed: true,
      render: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
    },
    {
      id: 'approved_amount',
      header: t('column.approved'),
      isLabelled: true,
      width: 120,
      whole: true,
      align: 'end',
      render: (expense) => <Approved expense={expense} mark={t('throughAdvancement')} />,
    },
  ]
}

function PaidBy({ expense: { reimbursement_id } }: { expense: Expense }) {
  const { t } = useTranslation('accountabilities')
  if (reimbursement_id === null) return null
  return (
    <Link href={`/reimbursements/${reimbursement_id}`} onClick={(event) => event.stopPropagation()}>
      {t('reimbursement', { id: reimbursement_id })}
    </Link>
  )
}

function Approved({ expense, mark }: { expense: Expense; mark: string }) {
  const { approved_amount, approved_amount_currency, liquidate_through_advancement } = expense
  if (approved_amount === null && !liquidate_through_advancement) return null
  return (
    <span className={classes.approved}>
      {liquidate_through_advancement && (
        <span className={classes.mark} title={mark}>
          <HandCoins size={14} aria-hidden />
          <span className="visually-hidden">{mark}</span>
        </span>
      )}
      {approved_amount !== null && approved_amount_currency !== null && (
        <Amount amount={approved_amount} currency={approved_amount_currency} />
      )}
    </span>
  )
}
