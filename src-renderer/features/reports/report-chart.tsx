import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import classes from './reports.module.css'

/** A bar, or several on top of each other: `values` by series. */
export type ChartRow = {
  readonly label: string
  readonly values: Readonly<Record<string, number>>
  readonly hrefs: Readonly<Record<string, string | undefined>>
}

/** One of the colours of a chart; `stack`: those of the same are on top of each other. */
export type ChartSeries = { readonly id: string; readonly name: string; readonly color: string; readonly stack?: string }

export type ReportChartProps = {
  rows: readonly ChartRow[]
  series: readonly ChartSeries[]
  /** Bars lie where names are long, and stand for months and ages. */
  isLying: boolean
  /** What it shows, for those who do not see it; the table next to it has the figures. */
  label: string
  format: (value: number) => string
  formatShort: (value: number) => string
  onOpen: (href: string) => void
}

const barPx = 32
const standingPx = 260
const shownCharacters = 22
const shorten = (text: string) => (text.length > shownCharacters ? `${text.slice(0, shownCharacters - 1)}…` : text)
const axis = { stroke: 'var(--outlay-line-strong)', tick: { fill: 'var(--outlay-text-quiet)', fontSize: 12 }, tickLine: false } as const

/** Bars of a figure. It is loaded with the first one; who cannot use it has the table. */
export function ReportChart({ rows, series, isLying, label, format, formatShort, onOpen }: ReportChartProps) {
  const data = rows.map((row) => ({ ...row, ...row.values }))
  const names = { dataKey: 'label', type: 'category', interval: isLying ? 0 : 'preserveStartEnd', tickFormatter: shorten } as const
  const numbers = { type: 'number', tickFormatter: formatShort } as const
  const open = (index: number, id: string) => {
    const href = rows[index]?.hrefs[id]
    if (href !== undefined) onOpen(href)
  }
  return (
    <div className={classes.chart} role="img" aria-label={label} data-chart>
      <ResponsiveContainer
        width="100%"
        height={
          isLying
            ? Math.max(1, rows.length) * barPx * (series.some(({ stack }) => stack) ? 1 : Math.min(2, series.length) * 0.75) + 60
            : standingPx
        }
      >
        <BarChart
          data={data}
          layout={isLying ? 'vertical' : 'horizontal'}
          accessibilityLayer={false}
          margin={{ top: 8, right: 16, bottom: 0, left: 0 }}
          barGap={1}
        >
          <CartesianGrid stroke="var(--outlay-line)" horizontal={!isLying} vertical={isLying} />
          {isLying ? <XAxis {...numbers} {...axis} /> : <XAxis {...names} {...axis} />}
          {isLying ? <YAxis {...names} {...axis} width={190} /> : <YAxis {...numbers} {...axis} width={64} />}
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--outlay-hover)' }}
            contentStyle={{
              background: 'var(--outlay-ground-raised)',
              borderColor: 'var(--outlay-line-strong)',
              color: 'var(--outlay-text)',
              fontSize: 13,
            }}
            itemStyle={{ color: 'var(--outlay-text)' }}
            formatter={(value) => format(Number(value))}
          />
          {series.length > 1 && (
            <Legend
              itemSorter={null}
              wrapperStyle={{ fontSize: 13 }}
              formatter={(name) => <span className={classes.legend}>{name}</span>}
            />
          )}
          {series.map(({ id, name, color, stack }) => (
            <Bar
              key={id}
              dataKey={id}
              name={name}
              fill={color}
              stackId={stack}
              isAnimationActive={false}
              maxBarSize={28}
              {...(rows.some(({ hrefs }) => hrefs[id] !== undefined) && { cursor: 'pointer' })}
              onClick={(_bar, index) => open(index, id)}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}
