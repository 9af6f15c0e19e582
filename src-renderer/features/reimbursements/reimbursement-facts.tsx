import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { fromMinor, parseAmount } from '#shared/domain/money'
import { usePreferences } from '../../state/preferences'
import { Amount } from '../../ui/amount'
import { FactList } from '../../ui/fact-list'
import { formatMoney } from '../../ui/format'
import type { GridColumn } from '../../ui/grid-types'
import { Instant } from '../../ui/instant'
import { KeyHint } from '../../ui/key-hint'
import { rowHeightPx, VirtualGrid } from '../../ui/virtual-grid'
import { Approved } from './joinable-expenses'
import { compareWithSum, sumApproved } from './payment-sum'
import classes from './reimbursements.module.css'

const mostRowsShown = 10

/** What a reimbursement is, field by field, and the expenses that it paid. */
export function ReimbursementFacts({
  reimbursement,
  onEdit,
}: {
  reimbursement: Reimbursement
  onEdit: (() => void) | undefined
}) {
  const { t } = useTranslation('reimbursements')
  const { amount, currency, date, receiver, responsible_user, payer, description, tags, expenses } = reimbursement
  const nothing = <span className={classes.quiet}>{t('none')}</span>
  const facts = [
    { label: t('column.receiver'), value: receiver.name },
    { label: t('column.amount'), value: <Amount amount={amount} currency={currency} /> },
    { label: t('column.date'), value: <Instant value={date} /> },
    { label: t('column.description'), value: description ?? nothing },
    { label: t('column.tags'), value: tags.length > 0 ? tags.join(', ') : nothing },
    { label: t('column.payer'), value: payer.name },
    { label: t('column.responsible'), value: responsible_user.name },
  ]
  return (
    <>
      {onEdit && (
        <div className={classes.actions}>
          <Button variant="default" onClick={onEdit} rightSection={<KeyHint keys="e" />}>
            {t('edit.action')}
          </Button>
        </div>
      )}
      <FactList facts={facts} />
      {expenses.length > 0 && <PaidExpenses reimbursement={reimbursement} />}
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
      { id: 'occurred_at', header: t('column.date'), width: 80, render: ({ occurred_at }) => <Instant value={occurred_at} /> },
      {
        id: 'description',
        header: t('column.description'),
        width: 96,
        fill: true,
        fixed: true,
        render: ({ description }) => description ?? <span className={classes.quiet}>{t('untitled')}</span>,
      },
      {
        id: 'amount',
        header: t('column.approved'),
        width: 136,
        align: 'end',
        fixed: true,
        render: (expense) => <Approved {...expense} />,
      },
    ],
    [t],
  )
  const sum = sumApproved(expenses).find((known) => known.currency === currency)
  const paid = parseAmount(amount, currency)
  const difference = sum && paid.kind === 'ok' ? compareWithSum(paid.amount_minor, sum.amount_minor) : { kind: 'same' as const }
  const money = (minor: number) => formatMoney({ amount: fromMinor(minor, currency), currency }, { language, display })
  const heightPx = (Math.min(expenses.length, mostRowsShown) + 1) * rowHeightPx + 2
  return (
    <section aria-label={t('detail.expenses')}>
      <h3 className={classes.blockTitle}>{t('detail.expenses')}</h3>
      {difference.kind !== 'same' && sum && (
        <p className={classes.differs}>
          {t(`pay.${difference.kind}`, { amount: money(difference.amount_minor), sum: money(sum.amount_minor) })}
        </p>
      )}
      <div className={classes.expenses} style={{ height: heightPx }}>
        <VirtualGrid
          gridId="reimbursement-expenses"
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
