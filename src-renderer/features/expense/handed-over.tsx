import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import { may } from '#shared/domain/permissions'
import { useHandovers, useHandoversOf } from '../../api/exports/handovers'
import { useMembership } from '../../state/membership'
import { Instant } from '../../ui/values/instant'
import classes from './expense.module.css'

/** When an expense was handed over to accounting, for those who review; in organizations that hand over at all. */
export function HandedOver({ expense }: { expense: Expense }) {
  const membership = useMembership()
  const isReviewer = membership?.organization.id === expense.payer.id && may('handovers.list', { role: membership.role })
  const { data = [] } = useHandovers(isReviewer ? expense.payer.id : null)
  return data.length === 0 ? null : <Newest expense={expense} />
}

function Newest({ expense }: { expense: Expense }) {
  const { t } = useTranslation('handovers')
  const { data } = useHandoversOf(expense)
  const newest = data?.handovers[0]
  if (!newest) return null
  return (
    <p className={classes.whoApproves}>
      {t('ofExpense.handedOver')} <Instant value={newest.created_at} show="day" />. {newest.is_changed && `${t('ofExpense.changed')} `}
      <Link href={`/handovers/${newest.id}`}>{t('ofExpense.open')}</Link>
    </p>
  )
}
