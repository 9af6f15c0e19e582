import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import { Amount } from '../../ui/values/amount'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import classes from './accountabilities.module.css'

const mostNamed = 6

/** Says why an accountability cannot be approved yet: which expenses are not approved, and a way to each. */
export function HinderedSheet({
  count,
  expenses,
  onConfirm,
  onCancel,
}: {
  /** How many are not approved, also of those that the user does not see. */
  count: number
  expenses: readonly Expense[]
  onConfirm: () => void
  onCancel: () => void
}) {
  const { t } = useTranslation(['accountabilities', 'status'])
  const named = expenses.slice(0, mostNamed)
  return (
    <ConfirmSheet
      title={t('accountabilities:hindered', { count })}
      confirmLabel={t('accountabilities:hindrance.only')}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <div className={classes.plan}>
        <p>{t('accountabilities:hindrance.why')}</p>
        <ul className={classes.planList}>
          {named.map(({ id, description, status, amount, currency }) => (
            <li key={id}>
              <Link href={`/expenses/${id}`} className={classes.clip}>
                #{id} {description}
              </Link>
              <span className={classes.quiet}>{t(`status:${status}`)}</span>
              <Amount amount={amount} currency={currency} />
            </li>
          ))}
        </ul>
        {count > named.length && <p className={classes.quiet}>{t('accountabilities:hindrance.more', { count: count - named.length })}</p>}
      </div>
    </ConfirmSheet>
  )
}
