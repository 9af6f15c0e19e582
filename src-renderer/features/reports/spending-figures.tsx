import { useTranslation } from 'react-i18next'
import type { ReportDimension } from '#shared/domain/reports/reports'
import type { ExpenseFilter } from '../../api/expenses'
import { useSpending } from '../../api/reports/reports'
import type { ReviewView } from '../../records/filters/review-view'
import { EmptyState } from '../../ui/feedback/empty-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { PeriodNote } from './period-note'
import { ReportError } from './report-error'
import { SpendingPanel } from './report-panel'
import { UsedRates } from './used-rates'
import { useLabelWords } from './words'
import classes from './reports.module.css'

type FiguresProps = {
  filter: ExpenseFilter
  filters: ReviewView
  by: ReportDimension
  byMonth: boolean
  convertTo: string | undefined
  today: string
  onReset: () => void
}

/** What the expenses of the filters come to: a panel for each currency. */
export function SpendingFigures({ filter, filters, by, byMonth, convertTo, today, onReset }: FiguresProps) {
  const { t } = useTranslation('reports')
  const words = useLabelWords(by)
  const { data: report, error, refetch } = useSpending({ filter, group_by: by, by_month: byMonth, convert_to: convertTo })
  if (error) return <ReportError error={error} onRetry={() => void refetch()} />
  if (!report) return <SkeletonRows count={10} />
  const panels = report.panels.filter(({ groups }) => groups.length > 0)
  if (panels.length === 0)
    return (
      <EmptyState
        sentence={t(`empty.${by === 'flag' || by === 'policy' ? 'flags' : 'all'}`)}
        action={{ label: t('empty.reset'), run: onReset }}
      />
    )
  return (
    <>
      {report.previous && <PeriodNote period={report.previous} />}
      {panels.map((panel) => (
        <SpendingPanel
          key={`${by} ${panel.currency}`}
          {...{ report, panel, by, filters, today, words }}
          byMonth={byMonth && panel.groups.some(({ months }) => months.length > 0)}
        />
      ))}
      {(by === 'tag' || by === 'flag' || by === 'policy') && <p className={classes.note}>{t(`several.${by}`)}</p>}
      <UsedRates report={report} />
    </>
  )
}
