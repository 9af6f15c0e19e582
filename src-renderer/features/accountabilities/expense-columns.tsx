import type { TFunction } from 'i18next'
import type { Expense } from '#shared/contract/expenses'
import { Amount } from '../../ui/amount'
import type { GridColumn } from '../../ui/grid-types'
import { Instant } from '../../ui/instant'
import { StatusBadge } from '../../ui/status-badge'
import classes from './accountabilities.module.css'

/** The columns of a list of expenses, in the user's language. `isBrief`: beside other things, where some must do without. */
export function expenseColumns(t: TFunction<'accountabilities'>, { isBrief }: { isBrief: boolean }): GridColumn<Expense>[] {
  const receiver: GridColumn<Expense> = {
    id: 'receiver',
    header: t('column.receiver'),
    width: 150,
    render: (expense) => <span title={expense.receiver.name}>{expense.receiver.name}</span>,
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
      width: 120,
      fill: true,
      fixed: true,
      render: ({ description }) => description ?? <span className={classes.quiet}>{t('untitled')}</span>,
    },
    ...(isBrief ? [] : [receiver]),
    { id: 'tags', header: t('column.tags'), width: 110, render: ({ tags }) => <span title={tags}>{tags}</span> },
    { id: 'status', header: t('column.status'), width: 160, render: ({ status }) => <StatusBadge status={status} /> },
    {
      id: 'amount',
      header: t('column.amount'),
      width: isBrief ? 130 : 140,
      align: 'end',
      fixed: true,
      render: ({ amount, currency }) => <Amount amount={amount} currency={currency} />,
    },
    ...(isBrief ? [] : [approved(t)]),
  ]
}

function approved(t: TFunction<'accountabilities'>): GridColumn<Expense> {
  return {
    id: 'approved_amount',
    header: t('column.approved'),
    width: 168,
    align: 'end',
    render: ({ approved_amount, approved_amount_currency, liquidate_through_advancement }) => (
      <span className={classes.approved}>
        {liquidate_through_advancement && (
          <span className={classes.mark} title={t('throughAdvancement')}>
            {t('advancementMark')}
          </span>
        )}
        {approved_amount !== null && approved_amount_currency !== null && (
          <Amount amount={approved_amount} currency={approved_amount_currency} />
        )}
      </span>
    ),
  }
}
