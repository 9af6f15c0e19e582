import { claimedAmount, countedAmount, type CountedExpense } from '#shared/domain/counted-amount'
import { Amount } from '../../ui/values/amount'

/** How much an expense counts for, with the claimed amount next to it if they differ. */
export function CountedAmount({ expense }: { expense: CountedExpense }) {
  return <Amount {...countedAmount(expense)} claimed={claimedAmount(expense)} />
}
