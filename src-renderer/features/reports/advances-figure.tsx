import { Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Balance } from '#shared/contract/balances'
import { useOutstanding } from '../../api/reports/reports'
import type { FilterTerm } from '../../records/filters/filter-terms'
import { usePreferences } from '../../state/preferences'
import { EmptyState } from '../../ui/feedback/empty-state'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { formatBareAmount, formatMoney } from '../../ui/values/format'
import { PictureMenu } from './picture-menu'
import { ReportError } from './report-error'
import { RowLink } from './report-table'
import { shortMoney } from './words'
import classes from './reports.module.css'
import { onDemand } from '../../ui/panes/later'

const ReportChart = onDemand(async () => (await import('./report-chart')).ReportChart)

const mostBars = 12
const linkOf = ({ receiver, currency }: Balance) => `/advances?person=${receiver.id}&currency=${currency}`

/** Whether the filters let a balance through: those of claimants and currencies; the others are of expenses. */
function isWanted({ receiver, currency }: Balance, terms: readonly FilterTerm[]): boolean {
  const named = (attribute: FilterTerm['attribute'], operator: FilterTerm['operator']) =>
    terms.filter((term) => term.attribute === attribute && term.operator === operator).map(({ value }) => value)
  const fits = (attribute: FilterTerm['attribute'], value: string) =>
    !named(attribute, 'is_not').includes(value) && (named(attribute, 'is').length === 0 || named(attribute, 'is').includes(value))
  return fits('receiver', String(receiver.id)) && fits('currency', currency)
}

/** What people hold of the organization's money, or the organization owes them; each currency apart. */
export function AdvancesFigure({ organizationId, terms }: { organizationId: number | null; terms: readonly FilterTerm[] }) {
  const { t } = useTranslation('reports')
  const { data, error, refetch } = useOutstanding(organizationId)
  if (error) return <ReportError error={error} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows count={6} />
  const shown = data.filter((balance) => isWanted(balance, terms))
  if (shown.length === 0) return <EmptyState sentence={t('advances.empty')} />
  return [...Map.groupBy(shown, ({ currency }) => currency)].map(([currency, balances]) => (
    <BalancesPanel key={currency} currency={currency} balances={balances.toSorted((a, b) => b.amount - a.amount)} />
  ))
}

function BalancesPanel({ currency, balances }: { currency: string; balances: readonly Balance[] }) {
  const { t } = useTranslation('reports')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const [, navigate] = useLocation()
  const figureRef = useRef<HTMLElement>(null)
  const title = t('panel.title', { by: t('by.advances'), currency })
  const rows = balances
    .slice(0, mostBars)
    .map((balance) => ({ label: balance.receiver.name, values: { now: balance.amount }, hrefs: { now: linkOf(balance) } }))
  return (
    <figure ref={figureRef} className={classes.panel} aria-label={title}>
      <figcaption className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{title}</h2>
        <PictureMenu figureRef={figureRef} title={title} />
      </figcaption>
      <div className={classes.panelBody}>
        <Suspense fallback={<div className={classes.chartWait} />}>
          <ReportChart
            rows={rows}
            series={[{ id: 'now', name: t('advances.held'), color: 'var(--mantine-primary-color-filled)' }]}
            isLying
            label={t('chart', { title })}
            format={(amount) => formatMoney({ amount, currency }, { language, display })}
            formatShort={(amount) => shortMoney(amount, language)}
            onOpen={navigate}
          />
        </Suspense>
        <div className={classes.tableBox}>
          <table className={classes.table}>
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{t('by.receiver')}</th>
                <th scope="col">{t('column.amount', { currency })}</th>
              </tr>
            </thead>
            <tbody>
              {balances.map((balance) => (
                <tr key={balance.receiver.id}>
                  <th scope="row">
                    <RowLink href={linkOf(balance)}>{balance.receiver.name}</RowLink>
                  </th>
                  <td>{formatBareAmount(balance, { language, display })}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <p className={classes.note}>{t('advances.note')}</p>
    </figure>
  )
}
