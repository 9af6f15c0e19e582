import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ReportPanel, ReportSum, SpendingReport } from '#shared/contract/reports/reports'
import type { ExpenseStatus } from '#shared/domain/expense-status'
import { fromMinor } from '#shared/domain/money'
import type { ReportDimension } from '#shared/domain/reports/reports'
import type { ExpenseFilter } from '../../api/expenses'
import { useSpending } from '../../api/reports/reports'
import { formatView } from '../../records/filters/review-view'
import { usePreferences } from '../../state/preferences'
import { EmptyState } from '../../ui/feedback/empty-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { formatBareAmount, formatCount } from '../../ui/values/format'
import { listOfStatuses } from './drill'
import { lastMonthsOf, rowsOf, type FigureRow } from './figures'
import { PeriodNote } from './period-note'
import { ReportError } from './report-error'
import { changeText, RowLink } from './report-table'
import { formatReport, type ReportView } from './report-view'
import { UsedRates } from './used-rates'
import { monthName, useLabelWords } from './words'
import classes from './overview.module.css'

/** The reports whose largest rows are shown. */
const parts = ['tag', 'receiver', 'supplier', 'age'] as const
const mostRows = 5
const mostMonths = 12

/** Whom open expenses wait for, by their statuses. */
const waiting = {
  reviewers: ['awaiting_analysis', 'analyzing', 'analyzed'],
  claimants: ['pending', 'noncompliant'],
  payment: ['approved'],
} as const satisfies Record<string, readonly ExpenseStatus[]>
const waitsFor = ['reviewers', 'claimants', 'payment'] as const

type OverviewProps = { filter: ExpenseFilter; view: ReportView; today: string; onReset: () => void }
/** The reports that are read; each undefined until it is. */
type Reports = Readonly<Record<'month' | 'status' | (typeof parts)[number], SpendingReport | undefined>>
type PartProps = Pick<OverviewProps, 'view' | 'today'> & { reports: Reports; currency: string }

/** Everything at a glance, for each currency: what they come to, what waits for whom, the last months, and the largest of each kind. */
export function OverviewFigure({ filter, view, today, onReset }: OverviewProps) {
  const { t } = useTranslation('reports')
  const { reports, error, retry } = useReports(filter, view.convertTo)
  const report = reports.month
  if (error) return <ReportError error={error} onRetry={retry} />
  if (!report) return <SkeletonRows count={10} />
  const panels = report.panels.filter(({ groups }) => groups.length > 0)
  if (panels.length === 0) return <EmptyState sentence={t('empty.all')} action={{ label: t('empty.reset'), run: onReset }} />
  return (
    <>
      {report.previous && <PeriodNote period={report.previous} />}
      {panels.map((panel) => {
        const props = { view, today, reports, currency: panel.currency }
        return (
          <section key={panel.currency} className={classes.overview} aria-label={panel.currency}>
            <Heads {...props} panel={panel} />
            <Months {...props} />
            {parts.map((by) => (
              <Largest key={by} {...props} by={by} />
            ))}
          </section>
        )
      })}
      <UsedRates report={report} />
    </>
  )
}

/** Reads the reports; `error`: why one of them could not be read. */
function useReports(filter: ExpenseFilter, convert_to: string | undefined) {
  const ask = { filter, by_month: false, convert_to }
  const asked = {
    month: useSpending({ ...ask, group_by: 'month' }),
    status: useSpending({ ...ask, group_by: 'status' }),
    tag: useSpending({ ...ask, group_by: 'tag' }),
    receiver: useSpending({ ...ask, group_by: 'receiver' }),
    supplier: useSpending({ ...ask, group_by: 'supplier' }),
    age: useSpending({ ...ask, group_by: 'age' }),
  }
  const { month, status, tag, receiver, supplier, age } = asked
  const failed = Object.values(asked).filter(({ error }) => error !== null)
  const reports: Reports = {
    month: month.data,
    status: status.data,
    tag: tag.data,
    receiver: receiver.data,
    supplier: supplier.data,
    age: age.data,
  }
  return { reports, error: failed[0]?.error, retry: () => failed.forEach(({ refetch }) => void refetch()) }
}

/** The rows of one report in one currency; undefined while they are read. */
function useRows(
  { reports, currency: own, view: { filters }, today }: PartProps,
  by: Exclude<keyof Reports, 'status'>,
): FigureRow[] | undefined {
  const words = useLabelWords(by)
  const report = reports[by]
  const panel = report?.panels.find(({ currency }) => currency === own)
  return report && (panel ? rowsOf(report, panel, { by, filters, today, words }) : [])
}

function useMoney(currency: string): (minor: number) => string {
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  return (minor) => formatBareAmount({ amount: fromMinor(minor, currency), currency }, { language, display })
}

function Heads({ panel, ...props }: PartProps & { panel: ReportPanel }) {
  const { t } = useTranslation('reports')
  const language = usePreferences((state) => state.language)
  const byStatus = props.reports.status
  const statuses = byStatus?.panels.find(({ currency }) => currency === props.currency)?.groups ?? []
  const { filters } = props.view
  const ofCurrency = byStatus && byStatus.panels.length > 1 ? panel.currencies : undefined
  const months = useRows(props, 'month') ?? []
  const [before, last] = months.slice(-2)
  const change = (now: ReportSum, earlier: ReportSum) => changeText(now.amount_minor, earlier.amount_minor, language)
  const note =
    panel.previous !== null
      ? t('overview.change', { change: change(panel, panel.previous) })
      : last && before && before.amount_minor !== 0
        ? t('overview.months', { month: last.label, change: change(last, before), before: before.label })
        : undefined
  return (
    <div className={classes.heads}>
      <Head label={t('overview.expenses', { currency: panel.currency })} sum={panel} currency={panel.currency} note={note} />
      {waitsFor.map((whom) => {
        const named = waiting[whom].filter((status) => statuses.some(({ key }) => key === status))
        const sum = statuses
          .filter(({ key }) => named.some((status) => key === status))
          .reduce<ReportSum>(
            (all, { count, amount_minor }) => ({ count: all.count + count, amount_minor: all.amount_minor + amount_minor }),
            { count: 0, amount_minor: 0 },
          )
        const list = named.length > 0 ? listOfStatuses(filters, named, ofCurrency) : undefined
        return (
          <Head
            key={whom}
            label={t(`overview.${whom}`)}
            sum={byStatus && sum}
            currency={panel.currency}
            href={list && `/review?${formatView(list)}`}
          />
        )
      })}
    </div>
  )
}

type HeadProps = { label: string; sum: ReportSum | undefined; currency: string; note?: string | undefined; href?: string | undefined }

function Head({ label, sum, currency, note, href }: HeadProps) {
  const { t } = useTranslation('reports')
  const money = useMoney(currency)
  return (
    <div className={classes.head}>
      <p className={classes.quiet}>{label}</p>
      <p className={classes.sum}>{sum ? <RowLink href={href}>{money(sum.amount_minor)}</RowLink> : '–'}</p>
      {sum && <p className={classes.quiet}>{[t('overview.count', { count: sum.count }), note].filter(Boolean).join(' · ')}</p>}
    </div>
  )
}

/** The last months as columns, each a link to its expenses. */
function Months(props: PartProps) {
  const { t } = useTranslation('reports')
  const money = useMoney(props.currency)
  const language = usePreferences((state) => state.language)
  const shown = lastMonthsOf(useRows(props, 'month') ?? [], mostMonths)
  const highest = Math.max(1, ...shown.map(({ amount_minor }) => amount_minor))
  return (
    <Part by="month" {...props} className={classes.months}>
      <ol className={classes.columns}>
        {shown.map(({ id, label, amount_minor, href }) => {
          const said = { title: money(amount_minor), 'aria-label': t('overview.bar', { label, amount: money(amount_minor) }) }
          const column = (
            <>
              <span className={classes.columnTrack}>
                <span className={classes.columnBar} style={{ height: `${(Math.max(0, amount_minor) / highest) * 100}%` }} />
              </span>
              <span className={classes.columnName} aria-hidden>
                {monthName(id, language)}
              </span>
            </>
          )
          return (
            <li key={id}>
              {href === undefined ? (
                <span className={classes.column} role="img" {...said}>
                  {column}
                </span>
              ) : (
                <Link href={href} className={classes.column} {...said}>
                  {column}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </Part>
  )
}

/** The largest rows of a report, with bars; ages in their order. */
function Largest({ by, ...props }: PartProps & { by: (typeof parts)[number] }) {
  const language = usePreferences((state) => state.language)
  const money = useMoney(props.currency)
  const rows = useRows(props, by)
  const shown = rows?.slice(0, mostRows)
  const highest = Math.max(1, ...(shown ?? []).map(({ amount_minor }) => amount_minor))
  return (
    <Part by={by} {...props}>
      {!shown ? (
        <SkeletonRows count={mostRows} />
      ) : (
        <table className={classes.table}>
          <tbody>
            {shown.map(({ id, label, amount_minor, count, href }) => (
              <tr key={id}>
                <th scope="row" title={label}>
                  <RowLink href={href}>{label}</RowLink>
                </th>
                <td className={classes.track} aria-hidden>
                  <span style={{ width: `${(Math.max(0, amount_minor) / highest) * 100}%` }} />
                </td>
                <td>{money(amount_minor)}</td>
                <td className={classes.quiet}>{formatCount(count, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Part>
  )
}

function Part({
  by,
  view,
  currency,
  className,
  children,
}: Pick<PartProps, 'view' | 'currency'> & { by: ReportDimension; className?: string | undefined; children: ReactNode }) {
  const { t } = useTranslation('reports')
  return (
    <section className={className} aria-label={t('panel.title', { by: t(`by.${by}`), currency })}>
      <h2 className={classes.title}>
        <Link href={`/reports?${formatReport({ ...view, by })}`}>{t(`by.${by}`)}</Link>
      </h2>
      {children}
    </section>
  )
}
