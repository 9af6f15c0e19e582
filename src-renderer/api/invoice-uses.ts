import { useQuery } from '@tanstack/react-query'
import type { Expense } from '#shared/contract/expenses'
import { invoiceUseRoutes } from '#shared/contract/invoice-uses'
import { call } from './client'
import { expenseKeys } from './expenses'

const none: readonly Expense[] = []

/** The expenses that have one of these invoices already, each once; none while it is not known. */
export function useInvoiceUses(keys: readonly string[]): readonly Expense[] {
  const { data } = useQuery({
    queryKey: [...expenseKeys.all, 'invoice-uses', keys],
    queryFn: async ({ signal }) => {
      const responses = keys.map((invoice_key) => call(invoiceUseRoutes.ofInvoice, { query: { invoice_key }, signal }))
      return expensesOf((await Promise.all(responses)).flatMap(({ invoice_uses }) => invoice_uses))
    },
    enabled: keys.length > 0,
  })
  return data ?? none
}

/** The other expenses that have an invoice of this one, each once; none while it is not known. */
export function useSharedInvoices(expense_id: number): readonly Expense[] {
  const { data } = useQuery({
    queryKey: [...expenseKeys.one(expense_id), 'invoice-uses'],
    queryFn: async ({ signal }) =>
      expensesOf((await call(invoiceUseRoutes.ofExpense, { params: { expense_id }, signal })).invoice_uses),
  })
  return data ?? none
}

function expensesOf(uses: ReadonlyArray<{ readonly expense: Expense }>): Expense[] {
  return [...new Map(uses.map(({ expense }) => [expense.id, expense])).values()]
}
