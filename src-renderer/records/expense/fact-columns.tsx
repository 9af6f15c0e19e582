import type { Expense } from '#shared/contract/expenses'
import type { GridColumn } from '../../ui/grid/grid-types'
import { Instant } from '../../ui/values/instant'
import { StatusBadge } from '../../ui/values/status-badge'
import classes from './fact-columns.module.css'

// Columns that several lists of expenses have. Widths in pixels.

/** When the expense occurred. */
export function dateColumn(header: string, width: number): GridColumn<Expense> {
  return { id: 'occurred_at', header, width, whole: true, render: ({ occurred_at }) => <Instant value={occurred_at} /> }
}

/** What it is for; `untitled` where nothing says that. */
export function descriptionColumn(
  header: string,
  untitled: string,
  sizes: Pick<GridColumn<Expense>, 'width' | 'minWidth'>,
): GridColumn<Expense> {
  const render = ({ description }: Expense) => description ?? <span className={classes.quiet}>{untitled}</span>
  return { id: 'description', header, ...sizes, fill: true, fixed: true, render }
}

/** Its tags. */
export function tagsColumn(header: string, sizes: Pick<GridColumn<Expense>, 'width' | 'minWidth'>): GridColumn<Expense> {
  return { id: 'tags', header, ...sizes, yields: 1, render: ({ tags }) => <span title={tags}>{tags}</span> }
}

/** Its status. */
export function statusColumn(header: string): GridColumn<Expense> {
  return { id: 'status', header, width: 152, whole: true, render: ({ status }) => <StatusBadge status={status} /> }
}
