import { z } from 'zod'
import { expenseRepresentation } from './expenses'
import { requiredText } from './fields'
import { nothing, pathId } from './requests'
import { route } from './route'

/** An expense that an invoice is attached to. `invoice_key` identifies the invoice: its access key if it has one. */
export const invoiceUse = z.object({ invoice_key: z.string(), expense: expenseRepresentation }).meta({ id: 'InvoiceUse' })
export type InvoiceUse = z.infer<typeof invoiceUse>

const list = {
  method: 'GET',
  body: nothing,
  response: z.object({ invoice_uses: z.array(invoiceUse) }),
  status: 200,
} as const

/** Where electronic invoices are used: the same one on two expenses is claimed twice. No part of the contract. */
export const invoiceUseRoutes = {
  ofInvoice: route({
    ...list,
    name: 'invoice_uses.list',
    action: 'invoice_uses.read',
    path: '/invoice_uses',
    summary: 'List the expenses, of those the caller may see, that an invoice is attached to',
    params: nothing,
    query: z.object({ invoice_key: requiredText(200) }),
  }),
  ofExpense: route({
    ...list,
    name: 'invoice_uses.list_of_expense',
    action: 'expenses.read',
    path: '/expenses/:expense_id/invoice_uses',
    summary: 'List the other expenses, of those the caller may see, that the invoices of an expense are attached to',
    params: z.object({ expense_id: pathId }),
    query: nothing,
  }),
}
