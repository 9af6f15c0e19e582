import type { Expense } from '#shared/contract/expenses'
import { headOf } from '#shared/domain/suppliers/purchase'
import classes from './fact-columns.module.css'

/** What an expense is called in a row: the supplier, and after it what it was for; `untitled` where nothing says either. */
export function ExpenseName({ expense, untitled }: { expense: Expense; untitled: string }) {
  const { title, purpose } = headOf(expense)
  return (
    <span className={classes.name} title={[title, purpose].filter(Boolean).join(' · ')}>
      <span className={title === undefined ? classes.quiet : classes.title}>{title ?? untitled}</span>
      {purpose !== '' && <span className={classes.purpose}> {purpose}</span>}
    </span>
  )
}
