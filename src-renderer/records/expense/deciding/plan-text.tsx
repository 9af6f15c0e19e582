import { useTranslation } from 'react-i18next'
import { usePreferences } from '#renderer/state/preferences'
import { formatCount, formatMonth } from '#renderer/ui/values/format'
import type { Skipped } from './batch-plan'
import type { Planned } from './use-planned'
import { useTotalsText } from './totals-text'
import classes from './plan.module.css'

const known = ['already', 'not_offered', 'forbidden', 'closed_month', 'blocked_by_policy', 'stale'] as const
const ofOthers = ['separate_approval', 'separate_payment', 'authority', 'second_look'] as const

function useSkippedText(): (skipped: Skipped) => string {
  const { t } = useTranslation(['review', 'status'])
  const language = usePreferences((state) => state.language)
  return ({ reason, params: { month, ...params }, message, status, count }) => {
    const values = {
      ...params,
      count,
      status: t(`status:${status}`).toLocaleLowerCase(),
      ...(typeof month === 'string' && { month: formatMonth(month, language) }),
    }
    const other = ofOthers.find((code) => code === reason)
    if (other !== undefined) return t(`review:plan.${params['people'] === '' ? 'nobody' : other}`, values)
    const kind = known.find((code) => code === reason)
    return kind === undefined ? t('review:plan.other', { ...values, message }) : t(`review:plan.${kind}`, values)
  }
}

/** What a batch will do, in words: how much per currency, and how many are skipped and why; until the server has said so, how many it has looked at. */
export function PlanText({ planned: { plan, done, total } }: { planned: Planned }) {
  const { t } = useTranslation(['review', 'ui'])
  const language = usePreferences((state) => state.language)
  const totalsText = useTotalsText()
  const skippedText = useSkippedText()
  if (!plan) {
    const counts = { done: formatCount(done, language), total: formatCount(total ?? done, language) }
    return <p className={classes.quiet}>{t('ui:progress.of', counts)}</p>
  }
  const { totals, skipped } = plan
  return (
    <>
      <p className={classes.text}>{plan.acting.length > 0 ? totalsText(totals) : t('review:plan.nothing')}</p>
      {skipped.length > 0 && (
        <div className={classes.quiet}>
          {t('review:plan.skipped', { count: skipped.reduce((sum, { count }) => sum + count, 0) })}
          <ul className={classes.skipped}>
            {skipped.map((one) => (
              <li key={JSON.stringify(one)}>{skippedText(one)}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
