import { Anchor } from '@mantine/core'
import { type MouseEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import type { Accountability } from '#shared/contract/accountabilities'
import type { Expense } from '#shared/contract/expenses'
import { titleOf } from '#shared/domain/suppliers/purchase'
import { CountedAmount } from '../../records/expense/counted-amount'
import { dateColumn, tagsColumn } from '../../records/expense/fact-columns'
import { extentOf, select } from '../../ui/grid/grid-selection'
import type { GridColumn } from '../../ui/grid/grid-types'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import classes from './reimbursements.module.css'

/** What the list is given. `left`: the uids of the expenses that are not to be paid now. */
export type JoinableExpensesProps = {
  expenses: readonly Expense[]
  left: ReadonlySet<string>
  /** The unfinished accountability of an expense, by its id. */
  accountabilities: ReadonlyMap<number, Accountability>
  onLeft: (left: ReadonlySet<string>) => void
}

/** Names the accountability that an expense is in, and leads to it. */
function AccountabilityMark({ of }: { of: Accountability | undefined }) {
  const { t } = useTranslation('reimbursements')
  if (!of) return null
  return (
    <Anchor
      component={Link}
      href={`/accountabilities/${of.id}`}
      size="xs"
      c="inherit"
      underline="always"
      ml={8}
      title={t('accountability.title', { title: of.title })}
      onClick={(event: MouseEvent) => event.stopPropagation()}
    >
      {of.title}
    </Anchor>
  )
}

/** The expenses to pay, each with a check: `x` takes one out or in again, Enter opens it. */
export function JoinableExpenses({ expenses, left, accountabilities, onLeft }: JoinableExpensesProps) {
  const { t } = useTranslation('reimbursements')
  const [, navigate] = useLocation()
  const [focused, setFocusIndex] = useState(0)
  const focusIndex = Math.min(focused, expenses.length - 1)
  const uids = expenses.map(({ uid }) => uid)
  const paid = new Set(uids).difference(left)
  const columns = useMemo<GridColumn<Expense>[]>(
    () => [
      dateColumn(t('column.date'), 80),
      {
        id: 'description',
        header: t('column.description'),
        width: 200,
        minWidth: 120,
        fill: true,
        fixed: true,
        render: (expense) => (
          <>
            {titleOf(expense) ?? <span className={classes.quiet}>{t('untitled')}</span>}
            <AccountabilityMark of={accountabilities.get(expense.id)} />
          </>
        ),
      },
      tagsColumn(t('column.tags'), { width: 136, minWidth: 64 }),
      {
        id: 'amount',
        header: t('column.approved'),
        width: 136,
        whole: true,
        align: 'end',
        fixed: true,
        render: (expense) => <CountedAmount expense={expense} />,
      },
    ],
    [t, accountabilities],
  )
  return (
    <div className={classes.joinable}>
      <VirtualGrid
        gridId="joinable"
        label={t('pay.expenses')}
        columns={columns}
        rowCount={expenses.length}
        getRow={(index) => expenses[index]}
        focusIndex={focusIndex}
        onFocusIndex={setFocusIndex}
        onOpen={(index) => {
          const expense = expenses[index]
          if (expense) navigate(`/expenses/${expense.id}`)
        }}
        selection={{
          isSelected: ({ uid }) => paid.has(uid),
          extent: extentOf(uids, paid),
          onSelect: (act) => onLeft(new Set(uids).difference(select(uids, paid, act))),
        }}
      />
    </div>
  )
}
