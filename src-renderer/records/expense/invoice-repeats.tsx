import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import { Amount } from '../../ui/values/amount'
import { Instant } from '../../ui/values/instant'
import classes from './invoices.module.css'
import { StatusBadge } from '../../ui/values/status-badge'

/** The expenses that share an invoice, one a line with a link to each; `own`: the one that is being looked at. */
export function InvoiceRepeats({ own, others }: { own?: Expense; others: readonly Expense[] }) {
  const { t } = useTranslation('invoices')
  if (others.length === 0) return null
  return (
    <div className={classes.repeats} role="note">
      <TriangleAlert size={16} aria-hidden className={classes.alert} />
      <div className={classes.grow}>
        {own ? t('repeat.title') : t('repeat.used')}
        <ul className={classes.uses}>
          {[...(own ? [own] : []), ...others].map((expense) => (
            <li key={expense.id} className={classes.use}>
              <div className={classes.useLine}>
                <Link href={`/expenses/${expense.id}`} className={classes.link}>
                  #{expense.id}
                </Link>
                <span className={classes.clip}>{expense === own ? t('repeat.this') : expense.description}</span>
                <Amount amount={expense.amount} currency={expense.currency} />
              </div>
              <div className={classes.useLine}>
                <StatusBadge status={expense.status} />
                <span className={classes.clip}>{expense.receiver.name}</span>
                <Instant value={expense.occurred_at} show="day" />
              </div>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
