import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { fromMinor } from '#shared/domain/money'
import { usePreferences } from '../../state/preferences'
import { formatBareAmount, formatCount } from '../../ui/values/format'
import type { FigureRow } from './figures'
import classes from './reports.module.css'

type Sum = { readonly count: number; readonly amount_minor: number }

/** The words of what is left out and of everything together. */
export type TableEnd = { readonly label: string; readonly sum: Sum; readonly previous?: Sum | null }

/** The figures of a chart. Each row leads to its expenses. `ends`: what is below the rows. */
export function ReportTable({
  caption,
  head,
  currency,
  rows,
  ends,
  hasPrevious,
}: {
  caption: string
  head: string
  currency: string
  rows: readonly FigureRow[]
  ends: readonly TableEnd[]
  hasPrevious: boolean
}) {
  const { t } = useTranslation('reports')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const money = (minor: number) => formatBareAmount({ amount: fromMinor(minor, currency), currency }, { language, display })
  const cells = ({ count, amount_minor }: Sum, previous: Sum | null | undefined) => (
    <>
      <td>{formatCount(count, language)}</td>
      <td>{money(amount_minor)}</td>
      {hasPrevious && <td className={classes.quiet}>{previous ? money(previous.amount_minor) : '–'}</td>}
      {hasPrevious && <td className={classes.quiet}>{previous ? changeText(amount_minor, previous.amount_minor, language) : '–'}</td>}
    </>
  )
  return (
    <div className={classes.tableBox} tabIndex={-1}>
      <table className={classes.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col">{t('column.count')}</th>
            <th scope="col">{t('column.amount', { currency })}</th>
            {hasPrevious && <th scope="col">{t('column.previous')}</th>}
            {hasPrevious && <th scope="col">{t('column.change')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <RowLink href={row.href}>{row.label}</RowLink>
              </th>
              {cells(row, row.previous)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          {ends.map(({ label, sum, previous }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {cells(sum, previous)}
            </tr>
          ))}
        </tfoot>
      </table>
    </div>
  )
}

/** The name of a row, as a link to its expenses where a filter can say them. */
export function RowLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined) return children
  return (
    <Link href={href} className={classes.link}>
      {children}
    </Link>
  )
}

/** By how much a sum differs from the one before; a dash where that one is nothing. */
export function changeText(now: number, before: number, language: string): string {
  if (before === 0) return '–'
  const format = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
  return format.format((now - before) / before)
}
