import { Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { ReportPanel, SpendingReport } from '#shared/contract/reports/reports'
import { fromMinor } from '#shared/domain/money'
import type { ReportDimension } from '#shared/domain/reports/reports'
import type { ReviewView } from '../../records/filters/review-view'
import { usePreferences } from '../../state/preferences'
import { formatMoney } from '../../ui/values/format'
import { lastMonthsOf, monthsOf, mostMonths, rowsOf, type FigureRow, type LabelWords } from './figures'
import { MonthTable } from './month-table'
import { PictureMenu } from './picture-menu'
import type { ChartRow, ChartSeries } from './report-chart'
import { ReportTable, type TableEnd } from './report-table'
import { shortMoney } from './words'
import classes from './reports.module.css'
import { onDemand } from '../../ui/panes/later'

const ReportChart = onDemand(async () => (await import('./report-chart')).ReportChart)

/** So many bars are read at a glance; the table has the others. */
const mostBars = 12
/** Colours of what is stacked, far apart in both themes; each is named in the legend and in the table. */
const stackColors = ['#5f6dc8', '#2f9e8f', '#d9822b', '#b0498f', '#7a9a2f', '#3f8fc4', '#c05a4a', '#8b6fc9']
const nowColor = 'var(--mantine-primary-color-filled)'
const beforeColor = 'var(--outlay-chart-before)'

type PanelProps = {
  report: SpendingReport
  panel: ReportPanel
  by: ReportDimension
  byMonth: boolean
  filters: ReviewView
  today: string
  words: LabelWords
}

/** What expenses of one currency come to: a chart, and its figures as a table. */
export function SpendingPanel({ report, panel, by, byMonth, filters, today, words }: PanelProps) {
  const { t } = useTranslation('reports')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const [, navigate] = useLocation()
  const figureRef = useRef<HTMLElement>(null)
  const { currency } = panel
  const rows = rowsOf(report, panel, { by, filters, today, words })
  const hasPrevious = report.previous !== null && rows.some(({ previous }) => previous !== null)
  const format = (amount: number) => formatMoney({ amount, currency }, { language, display })
  const title = t('panel.title', { by: t(`by.${by}`), currency })
  const sum = t('panel.sum', { count: panel.count, amount: format(fromMinor(panel.amount_minor, currency)) })
  const ends: TableEnd[] = [
    ...(panel.others ? [{ label: t('others', { count: panel.others.groups }), sum: panel.others }] : []),
    { label: t('total'), sum: panel, previous: panel.previous },
  ]
  const chart = byMonth
    ? stackedBars(rows, words, currency)
    : bars(rows, { currency, hasPrevious, now: t('series.now'), before: t('series.before') })
  const most = byMonth ? stackColors.length : mostBars
  return (
    <figure ref={figureRef} className={classes.panel} aria-label={title}>
      <figcaption className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{title}</h2>
        <span className={classes.panelSum}>{sum}</span>
        <PictureMenu figureRef={figureRef} title={title} sum={sum} />
      </figcaption>
      <div className={classes.panelBody}>
        <Suspense fallback={<div className={classes.chartWait} />}>
          <ReportChart
            {...chart}
            isLying={!byMonth && by !== 'month' && by !== 'age'}
            label={t('chart', { title })}
            format={format}
            formatShort={(amount) => shortMoney(amount, language)}
            onOpen={navigate}
          />
        </Suspense>
        {byMonth ? (
          <MonthTable caption={title} head={t(`by.${by}`)} currency={currency} rows={rows} words={words} />
        ) : (
          <ReportTable
            caption={title}
            head={t(`by.${by}`)}
            currency={currency}
            rows={by === 'month' ? rows.toReversed() : rows}
            ends={ends}
            hasPrevious={hasPrevious}
          />
        )}
      </div>
      {rows.length > most && by !== 'month' && <p className={classes.note}>{t('mostBars', { count: most })}</p>}
      {!byMonth && by === 'month' && chart.rows.length < rows.length && (
        <p className={classes.note}>{t('mostMonths', { count: chart.rows.length })}</p>
      )}
      {byMonth && monthsOf(rows).length > mostMonths && <p className={classes.note}>{t('mostMonths', { count: mostMonths })}</p>}
    </figure>
  )
}

function bars(
  rows: readonly FigureRow[],
  { currency, hasPrevious, now, before }: { currency: string; hasPrevious: boolean; now: string; before: string },
): { rows: ChartRow[]; series: ChartSeries[] } {
  const isMonths = /^\d{4}-\d\d$/.test(rows[0]?.id ?? '')
  const shown = isMonths ? lastMonthsOf(rows) : rows.slice(0, mostBars)
  return {
    rows: shown.map(({ label, amount_minor, previous, href }) => ({
      label,
      values: { now: fromMinor(amount_minor, currency), before: fromMinor(previous?.amount_minor ?? 0, currency) },
      hrefs: { now: href },
    })),
    series: [{ id: 'now', name: now, color: nowColor }, ...(hasPrevious ? [{ id: 'before', name: before, color: beforeColor }] : [])],
  }
}

/** A bar for each month, with a part for each group. */
function stackedBars(rows: readonly FigureRow[], words: LabelWords, currency: string): { rows: ChartRow[]; series: ChartSeries[] } {
  const shown = rows.slice(0, stackColors.length)
  const named = shown.map((row, index) => ({ row, id: `s${index}` }))
  return {
    rows: monthsOf(rows)
      .slice(-mostMonths)
      .map((month) => ({
        label: words.month(month),
        values: Object.fromEntries(named.map(({ row, id }) => [id, fromMinor(row.months.get(month)?.amount_minor ?? 0, currency)])),
        hrefs: Object.fromEntries(named.map(({ row, id }) => [id, row.months.get(month)?.href])),
      })),
    series: named.map(({ row, id }, index) => ({ id, name: row.label, color: stackColors[index] ?? nowColor, stack: 'all' })),
  }
}
