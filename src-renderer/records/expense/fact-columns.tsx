import type { Expense } from '#shared/contract/expenses'
import type { GridColumn } from '../../ui/grid/grid-types'
import { Instant } from '../../ui/values/instant'
import { StatusBadge } from '../../ui/values/status-badge'
import { useIsUnconfirmed } from '../../state/unconfirmed'
import { ExpenseName } from './expense-name'
import { UnconfirmedMark } from './unconfirmed-mark'
import classes from './fact-columns.module.css'

// Columns that several lists of expenses have. Widths in pixels.

/** When the expense occurred. */
export function dateColumn(header: string, width: number): GridColumn<Expense> {
  return { id: 'occurred_at', header, width, whole: true, render: ({ occurred_at }) => <Instant value={occurred_at} /> }
}

/** What it is for; `untitled` where nothing says that. What the remote has not confirmed has its mark. */
export function descriptionColumn(
  header: string,
  untitled: string,
  sizes: Pick<GridColumn<Expense>, 'width' | 'minWidth'>,
): GridColumn<Expense> {
  const render = (expense: Expense) => <Described expense={expense} untitled={untitled} />
  return { id: 'description', header, ...sizes, fill: true, fixed: true, render }
}

function Described({ expense, untitled }: { expense: Expense; untitled: string }) {
  const isWaiting = useIsUnconfirmed(expense)
  const name = <ExpenseName expense={expense} untitled={untitled} />
  if (!isWaiting) return name
  return (
    <span className={classes.described}>
      <UnconfirmedMark isShort /> {name}
    </span>
  )
}

/** Its tags. */
export function tagsColumn(header: string, sizes: Pick<GridColumn<Expense>, 'width' | 'minWidth'>): GridColumn<Expense> {
  return { id: 'tags', header, ...sizes, yields: 1, render: ({ tags }) => <span title={tags}>{tags}</span> }
}

/** Its status. */
export function statusColumn(header: string): GridColumn<Expense> {
  return { id: 'status', header, width: 152, whole: true, render: ({ status }) => <StatusBadge status={status} /> }
}
