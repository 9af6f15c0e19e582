import { useTranslation } from 'react-i18next'
import type { BatchPlan } from './batch-plan'
import classes from '../review.module.css'
import { useTotalsText } from '../list/totals'

/** What a batch will do, in words: how many, how much per currency, and which are skipped and why. */
export function PlanText({ plan }: { plan: BatchPlan }) {
  const { t } = useTranslation(['review', 'status'])
  const totalsText = useTotalsText()
  const skipped = plan.skipped.reduce((sum, { count }) => sum + count, 0)
  const reasons = plan.skipped.map(({ kind, status, count }) =>
    t(`review:plan.${kind}`, {
      count,
      status: t(`status:${status}`).toLocaleLowerCase(),
    }),
  )
  return (
    <>
      <p className={classes.planText}>{plan.totals.length > 0 ? totalsText(plan.totals) : t('review:plan.nothing')}</p>
      {skipped > 0 && (
        <p className={classes.planQuiet}>{t('review:plan.skipped', { count: skipped, reasons: reasons.join(', ') })}</p>
      )}
    </>
  )
}
