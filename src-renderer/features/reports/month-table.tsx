import { fromMinor } from '#shared/domain/money'
import { usePreferences } from '../../state/preferences'
import { formatBareAmount } from '../../ui/values/format'
import { columnMonthsOf, type FigureRow, type LabelWords } from './figures'
import { RowLink } from './report-table'
import classes from './reports.module.css'

/** Groups by month: each amount leads to its expenses. */
export function MonthTable({
  caption,
  head,
  currency,
  rows,
  words,
}: {
  caption: string
  head: string
  currency: string
  rows: readonly FigureRow[]
  words: LabelWords
}) {
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const months = columnMonthsOf(rows)
  const money = (minor: number) => formatBareAmount({ amount: fromMinor(minor, currency), currency }, { language, display })
  return (
    <div className={classes.tableBox} data-wide>
      <table className={classes.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {months.map((month) => (
              <th key={month} scope="col">
                {words.month(month)}
              </th>
            ))}
            <th scope="col">{currency}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <RowLink href={row.href}>{row.label}</RowLink>
              </th>
              {months.map((month) => {
                const sum = row.months.get(month)
                return <td key={month}>{sum ? <RowLink href={sum.href}>{money(sum.amount_minor)}</RowLink> : '–'}</td>
              })}
              <td>{money(row.amount_minor)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
