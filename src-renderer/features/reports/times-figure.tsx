import { useTranslation } from 'react-i18next'
import type { ExpenseFilter } from '../../api/expenses'
import { useTimes } from '../../api/reports/reports'
import { usePreferences } from '../../state/preferences'
import { EmptyState } from '../../ui/feedback/empty-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { formatCount } from '../../ui/values/format'
import { ReportError } from './report-error'
import { durationText } from './words'
import classes from './reports.module.css'

/** How long expenses take from being recorded to approval and settlement. */
export function TimesFigure({ filter }: { filter: ExpenseFilter }) {
  const { t } = useTranslation('reports')
  const language = usePreferences((state) => state.language)
  const { data, error, refetch } = useTimes(filter)
  if (error) return <ReportError error={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows count={6} />
  if (data.steps.every(({ count }) => count === 0)) return <EmptyState sentence={t('times.empty')} />
  const longest = Math.max(1, ...data.steps.map(({ p90_s }) => p90_s ?? 0))
  const bar = (seconds: number | null) => (
    <td>
      {seconds === null ? '–' : durationText(seconds, language)}
      <span aria-hidden className={classes.meter}>
        <span style={{ width: `${((seconds ?? 0) / longest) * 100}%` }} />
      </span>
    </td>
  )
  return (
    <figure className={classes.panel} aria-label={t('by.times')}>
      <figcaption className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{t('by.times')}</h2>
      </figcaption>
      <div className={classes.tableBox}>
        <table className={classes.table}>
          <caption className="visually-hidden">{t('by.times')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('times.step')}</th>
              <th scope="col">{t('column.count')}</th>
              <th scope="col">{t('times.median')}</th>
              <th scope="col">{t('times.p90')}</th>
            </tr>
          </thead>
          <tbody>
            {data.steps.map(({ step, count, median_s, p90_s }) => (
              <tr key={step}>
                <th scope="row">{t(`times.${step}`)}</th>
                <td>{formatCount(count, language)}</td>
                {bar(median_s)}
                {bar(p90_s)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={classes.note}>{t('times.note')}</p>
    </figure>
  )
}
