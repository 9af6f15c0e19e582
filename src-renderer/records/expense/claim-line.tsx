import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { headOf } from '#shared/domain/suppliers/purchase'
import { Amount } from '../../ui/values/amount'
import classes from './fact-columns.module.css'

/** Which expense a form is about: its name, who claims it, and how much. */
export function ClaimLine({ expense }: { expense: Expense }) {
  const { t } = useTranslation('expense')
  const { receiver, amount, currency } = expense
  return (
    <p className={classes.claim}>
      <strong>{headOf(expense).title ?? `#${expense.id}`}</strong> · {receiver.name} · {t('moves.claimed')}{' '}
      <Amount amount={amount} currency={currency} />
    </p>
  )
}
