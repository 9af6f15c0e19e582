import type { Expense } from '#shared/contract/expenses'
import { useSharedInvoices } from '../../api/invoice-uses'
import { InvoiceRepeats } from '../../records/expense/invoice-repeats'
import classes from './expense.module.css'

/** Says that other expenses have this invoice too, and names them. It cannot be dismissed: an invoice is paid once. */
export function SharedInvoices({ expense }: { expense: Expense }) {
  const others = useSharedInvoices(expense.id)
  if (others.length === 0) return null
  return (
    <div className={classes.aside}>
      <InvoiceRepeats own={expense} others={others} />
    </div>
  )
}
