import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { fromMinor, parseAmount } from '#shared/domain/money'
import { usePreferences } from '../../state/preferences'
import { CountedAmount } from '../../records/expense/counted-amount'
import { formatMoney } from '../../ui/values/format'
import { dateColumn, descriptionColumn } from '../../records/expense/fact-columns'
import type { GridColumn } from '../../ui/grid/grid-types'
import { SettlementFacts } from '../../records/settlement/settlement-facts'
import { VirtualGrid } from '../../ui/grid/virtual-grid'
import { compareWithSum, sumApproved } from './payment-sum'
import classes from './reimbursements.module.css'

/** What a reimbursement is, field by field, and the expenses that it paid. */
export function ReimbursementFacts({ reimbursement, onEdit }: { reimbursement: Reimbursement; onEdit: (() => void) | undefined }) {
  return (
    <>
      <SettlementFacts form="reimbursement-edit" settlement={reimbursement} onEdit={onEdit} />
      {reimbursement.expenses.length > 0 && <PaidExpenses reimbursement={reimbursement} />}
    </>
  )
}

function PaidExpenses({ reimbursement: { amount, currency, expenses } }: { reimbursement: Reimbursement }) {
  const { t } = useTranslation('reimbursements')
  const [, navigate] = useLocation()
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const [focusIndex, setFocusIndex] = useState(0)
  const columns = useMemo<GridColumn<Expense>[]>(
    () => [
      dateColumn(t('column.date'), 80),
      descriptionColumn(t('column.description'), t('untitled'), { width: 96 }),
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
    [t],
  )
  const sum = sumApproved(expenses).find((known) => known.currency === currency)
  const paid = parseAmount(amount, currency)
  const difference = sum && paid.kind === 'ok' ? compareWithSum(paid.amount_minor, sum.amount_minor) : { kind: 'same' as const }
  const money = (minor: number) => formatMoney({ amount: fromMinor(minor, currency), currency }, { language, display })
  return (
    <section aria-label={t('detail.expenses')}>
      <h3 className={classes.blockTitle}>{t('detail.expenses')}</h3>
      {difference.kind !== 'same' && sum && (
        <p className={classes.differs}>
          {t(`pay.${difference.kind}`, { amount: money(difference.amount_minor), sum: money(sum.amount_minor) })}
        </p>
      )}
      <div className={classes.expenses}>
        <VirtualGrid
          gridId="reimbursement-expenses"
          isFitted
          label={t('detail.expenses')}
          columns={columns}
          rowCount={expenses.length}
          getRow={(index) => expenses[index]}
          focusIndex={Math.min(focusIndex, expenses.length - 1)}
          onFocusIndex={setFocusIndex}
          onOpen={(index) => {
            const expense = expenses[index]
            if (expense) navigate(`/expenses/${expense.id}`)
          }}
        />
      </div>
    </section>
  )
}
