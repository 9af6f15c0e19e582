import { Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { TimesReport } from '#shared/contract/reports/reports'
import type { ExpenseFilter } from '../../api/expenses'
import { useTimes } from '../../api/reports/reports'
import { usePreferences } from '../../state/preferences'
import { EmptyState } from '../../ui/feedback/empty-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { formatCount } from '../../ui/values/format'
import { PeriodNote } from './period-note'
import { PictureMenu } from './picture-menu'
import { ReportError } from './report-error'
import type { ChartSeries } from './report-chart'
import { durationAxis, durationText } from './words'
import classes from './reports.module.css'
import { onDemand } from '../../ui/panes/later'

const ReportChart = onDemand(async () => (await import('./report-chart')).ReportChart)

/** How long expenses take from being recorded to approval and settlement. */
export function TimesFigure({ filter }: { filter: ExpenseFilter }) {
  const { t } = useTranslation('reports')
  const { data, error, refetch } = useTimes(filter)
  if (error) return <ReportError error={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows count={6} />
  if (data.steps.every(({ count, previous }) => count === 0 && !previous?.count)) return <EmptyState sentence={t('times.empty')} />
  return (
    <>
      {data.previous && <PeriodNote period={data.previous} />}
      <TimesPanel report={data} />
    </>
  )
}

function TimesPanel({ report: { steps, previous } }: { report: TimesReport }) {
  const { t } = useTranslation('reports')
  const language = usePreferences((state) => state.language)
  const figureRef = useRef<HTMLElement>(null)
  const title = t('by.times')
  const longest = Math.max(1, ...steps.flatMap(({ p90_s, previous: last }) => [p90_s ?? 0, last?.median_s ?? 0]))
  const axis = durationAxis(longest, language)
  const length = (seconds: number | null | undefined) => (seconds ?? 0) / axis.seconds
  const series: ChartSeries[] = [
    { id: 'median', name: t('times.median'), color: 'var(--mantine-primary-color-filled)' },
    ...(previous ? [{ id: 'before', name: t('times.medianBefore'), color: 'var(--outlay-chart-before)' }] : []),
    { id: 'p90', name: t('times.p90'), color: 'var(--outlay-chart-most)' },
  ]
  const cell = (seconds: number | null | undefined) => (seconds == null ? '–' : durationText(seconds, language))
  return (
    <figure ref={figureRef} className={classes.panel} aria-label={title}>
      <figcaption className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{title}</h2>
        <PictureMenu figureRef={figureRef} title={title} />
      </figcaption>
      <div className={classes.panelBody}>
        <Suspense fallback={<div className={classes.chartWait} />}>
          <ReportChart
            rows={steps.map(({ step, median_s, p90_s, previous: last }) => ({
              label: t(`times.short.${step}`),
              values: { median: length(median_s), before: length(last?.median_s), p90: length(p90_s) },
              hrefs: {},
            }))}
            series={series}
            isLying
            label={t('chart', { title })}
            format={(value) => durationText(value * axis.seconds, language)}
            formatShort={axis.format}
            onOpen={() => undefined}
          />
        </Suspense>
        {/* It has no links, so it takes the focus itself to scroll by key. */}
        <div className={classes.tableBox} tabIndex={0}>
          <table className={classes.table}>
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{t('times.step')}</th>
                <th scope="col">{t('column.count')}</th>
                <th scope="col">{t('times.median')}</th>
                {previous && <th scope="col">{t('column.previous')}</th>}
                <th scope="col">{t('times.p90')}</th>
                {previous && <th scope="col">{t('column.previous')}</th>}
              </tr>
            </thead>
            <tbody>
              {steps.map(({ step, count, median_s, p90_s, previous: last }) => (
                <tr key={step}>
                  <th scope="row">{t(`times.${step}`)}</th>
                  <td>{formatCount(count, language)}</td>
                  <td>{cell(median_s)}</td>
                  {previous && <td className={classes.quiet}>{cell(last?.median_s)}</td>}
                  <td>{cell(p90_s)}</td>
                  {previous && <td className={classes.quiet}>{cell(last?.p90_s)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <p className={classes.note}>{t('times.note')}</p>
    </figure>
  )
}
