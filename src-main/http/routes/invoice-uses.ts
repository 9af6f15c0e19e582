import { invoiceUseRoutes } from '#shared/contract/invoice-uses'
import { type InvoiceUse, listInvoiceKeysOf, listInvoiceUses } from '#main/store/records/expenses/invoice-key-reader'
import { getAudience } from '#main/store/sync/audience'
import { getVisibleExpense } from '#main/use-cases/access/get-visible-expense'
import { type Context, type Endpoint, query } from '../endpoint'
import { toOneExpense } from '../representations/expenses'

/** Answered for one invoice: who reads more than this has seen enough. */
const limit = 20

async function usesOf(context: Context, keys: readonly string[], except_id?: number): Promise<InvoiceUse[]> {
  const audience = await getAudience(context.reader, context.caller.user_id)
  const found = keys.map((key) => listInvoiceUses(context.reader, key, { audience, except_id, limit }))
  return (await Promise.all(found)).flat()
}

async function show(context: Context, uses: readonly InvoiceUse[]) {
  const invoice_uses = uses.map(async ({ invoice_key, expense }) => ({
    invoice_key,
    expense: await toOneExpense(context, expense),
  }))
  return { body: { invoice_uses: await Promise.all(invoice_uses) } }
}

/** Where electronic invoices are used. */
export const invoiceUseEndpoints: Endpoint[] = [
  query(invoiceUseRoutes.ofInvoice, async (context, { query: { invoice_key } }) =>
    show(context, await usesOf(context, [invoice_key])),
  ),
  query(invoiceUseRoutes.ofExpense, async (context, { params: { expense_id: id } }) => {
    await getVisibleExpense(context.reader, { id, user_id: context.caller.user_id })
    return show(context, await usesOf(context, await listInvoiceKeysOf(context.reader, id), id))
  }),
]
