import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useOwedByAdvances } from '../../api/advancements'
import { Amount } from '../../ui/values/amount'
import classes from './reimbursements.module.css'

/** Who is owed because they spent more than they were handed in advance; each leads to their account. Nothing where nobody is. */
export function OwedByAdvances({ organizationId }: { organizationId: number }) {
  const { t } = useTranslation('reimbursements')
  const owed = useOwedByAdvances(organizationId)
  if (owed.length === 0) return null
  return (
    <section className={classes.owed} aria-label={t('owedByAdvance.title')}>
      <h2>{t('owedByAdvance.title')}</h2>
      <p className={classes.quiet}>{t('owedByAdvance.about')}</p>
      <ul>
        {owed.map(({ receiver, amount, currency }) => (
          <li key={`${receiver.id} ${currency}`}>
            <Link href={`/advances?person=${receiver.id}&currency=${currency}`}>{receiver.name}</Link>
            <Amount amount={amount} currency={currency} />
          </li>
        ))}
      </ul>
    </section>
  )
}
