import { useTranslation } from 'react-i18next'
import type { AccountabilityLiquidation } from '#shared/contract/accountabilities'
import { Amount } from '../../ui/values/amount'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import classes from './accountabilities.module.css'
import type { Finishing } from './use-moves'

/** Shows, before an accountability is finished, what that creates: it cannot be undone. */
export function FinishSheet({
  finishing: { accountability, liquidation },
  onConfirm,
  onCancel,
}: {
  finishing: Finishing
  onConfirm: () => void
  onCancel: () => void
}) {
  const { t } = useTranslation('accountabilities')
  const { reimbursements, advancements } = liquidation
  return (
    <ConfirmSheet
      title={t('finish.title', { title: accountability.title })}
      confirmLabel={t('finish.confirm')}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <div className={classes.plan}>
        {reimbursements.length + advancements.length === 0 && <p>{t('finish.nothing')}</p>}
        {reimbursements.length > 0 && (
          <Groups title={t('finish.reimbursements', { count: reimbursements.length })} groups={reimbursements} />
        )}
        {advancements.length > 0 && (
          <Groups
            title={t('finish.advancements', { count: advancements.reduce((sum, { count }) => sum + count, 0) })}
            groups={advancements}
          />
        )}
        <Overdrafts groups={advancements} />
        {reimbursements.length > 0 && <p className={classes.quiet}>{t('finish.toPay')}</p>}
        <p className={classes.quiet}>{t('finish.final')}</p>
      </div>
    </ConfirmSheet>
  )
}

/** Whose advance finishing overdraws, and by how much. */
function Overdrafts({ groups }: { groups: AccountabilityLiquidation['advancements'] }) {
  const { t } = useTranslation('accountabilities')
  const overdrawn = groups.filter(({ overdraws }) => overdraws !== null && overdraws > 0)
  if (overdrawn.length === 0) return null
  return (
    <div role="alert">
      <p>{t('finish.overdraws')}</p>
      <ul className={classes.planList}>
        {overdrawn.map(({ receiver, currency, overdraws }) => (
          <li key={`${receiver.id} ${currency}`}>
            <span className={classes.clip}>{receiver.name}</span>
            <span />
            <Amount amount={overdraws ?? 0} currency={currency} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Groups({ title, groups }: { title: string; groups: AccountabilityLiquidation['reimbursements'] }) {
  const { t } = useTranslation('accountabilities')
  return (
    <>
      <p>{title}</p>
      <ul className={classes.planList}>
        {groups.map(({ receiver, currency, amount, count }) => (
          <li key={`${receiver.id} ${currency}`}>
            <span className={classes.clip}>{receiver.name}</span>
            <span className={classes.quiet}>{t('expenses', { count })}</span>
            <Amount amount={amount} currency={currency} />
          </li>
        ))}
      </ul>
    </>
  )
}
