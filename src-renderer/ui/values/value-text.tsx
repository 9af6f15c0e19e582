import type { ExpenseStatus } from '#shared/domain/expense-status'
import { Amount } from './amount'
import { Instant } from './instant'
import classes from '../parts.module.css'
import { StatusBadge } from './status-badge'

/** A value of a record's attribute, by what it is. Amounts are in major units. */
export type ShownValue =
  | { readonly kind: 'none' }
  | { readonly kind: 'money'; readonly amount: number; readonly currency: string }
  | { readonly kind: 'status'; readonly status: ExpenseStatus }
  | { readonly kind: 'instant'; readonly instant: string }
  | { readonly kind: 'flag'; readonly flag: boolean }
  | { readonly kind: 'text'; readonly text: string }

/** The text of values that have none. */
export interface ValueWords {
  readonly none: string
  readonly yes: string
  readonly no: string
}

/** A value, written as what it is. */
export function ValueText({ value, words }: { value: ShownValue; words: ValueWords }) {
  switch (value.kind) {
    case 'none':
      return <span className={classes.noValue}>{words.none}</span>
    case 'money':
      return <Amount amount={value.amount} currency={value.currency} />
    case 'status':
      return <StatusBadge status={value.status} />
    case 'instant':
      return <Instant value={value.instant} />
    case 'flag':
      return value.flag ? words.yes : words.no
    case 'text':
      return <span className="tabular">{value.text}</span>
  }
}
