import type { Language } from '#shared/domain/locales'
import { writeAmount } from '#shared/domain/amount-text'
import { fromMinor } from '#shared/domain/money'
import { formatTaxId } from '#shared/domain/tax-ids'
import type { Invoice } from '#shared/invoices/invoice'
import { readInvoice } from '#shared/invoices/read-invoice'
import { checkInvoice } from '../../records/expense/signature'
import type { DraftForm } from '../../state/draft'

/** What an electronic invoice says of an expense; what it does not say is left out. */
export type InvoiceValues = Partial<
  Pick<DraftForm, 'amount' | 'currency' | 'date' | 'description' | 'location' | 'supplier_name' | 'supplier_tax_id'>
>

const largestBytes = 2_000_000
const maxXmlDepth = 100

/** Reads a file as an electronic invoice; null where it is none, or nothing that can be read. */
export async function readInvoiceFile(file: Blob): Promise<Invoice | null> {
  const isPdf = file.type === 'application/pdf'
  if (!isPdf && (!file.type.endsWith('xml') || file.size > largestBytes)) return null
  try {
    const { readXml } = await import('#shared/invoices/read-xml')
    const files = isPdf ? await (await import('./pdf-page')).attachedXml(file) : [new Uint8Array(await file.arrayBuffer())]
    for (const bytes of files.filter(({ byteLength }) => byteLength <= largestBytes)) {
      const root = readXml(bytes, { maxXmlDepth })
      const invoice = root && readInvoice(root)
      if (invoice) return await checkInvoice(invoice, bytes)
    }
    return null
  } catch {
    return null
  }
}

/** The invoice's data for an expense, as a person types it in a language. */
export function toValues(invoice: Invoice, language: Language): InvoiceValues {
  const { total_minor, currency, issued_on, trade_name, supplier, tax_id, town } = invoice
  const values = {
    amount: total_minor === undefined ? undefined : writeAmount(fromMinor(total_minor, currency), { currency, language }),
    currency: total_minor === undefined ? undefined : currency,
    date: issued_on,
    description: trade_name ?? supplier,
    location: town,
    supplier_name: supplier ?? trade_name,
    supplier_tax_id: tax_id && formatTaxId(tax_id),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** What was put into a form, and what stood there before. */
export type Fill = { readonly before: Partial<DraftForm>; readonly after: Partial<DraftForm> }

/** The form with the values put into fields that are empty; the currency goes with the amount. */
export function fillEmpty(form: DraftForm, values: InvoiceValues): { form: DraftForm; fill: Fill } {
  const empty = (['amount', 'date', 'description', 'location', 'supplier_name', 'supplier_tax_id'] as const).filter(
    (name) => form[name].trim() === '',
  )
  const names = [...empty, ...(empty.includes('amount') ? (['currency'] as const) : [])].filter((name) => name in values)
  const pick = (from: InvoiceValues) => Object.fromEntries(names.map((name) => [name, from[name]]))
  const fill = { before: pick(form), after: pick(values) }
  return { form: { ...form, ...fill.after }, fill }
}

/** The form without what was filled in; what was typed since then stays. */
export function takeBack(form: DraftForm, { before, after }: Fill): DraftForm {
  const current: Readonly<Record<string, unknown>> = form
  const untouched = Object.entries(before).filter(([name]) => current[name] === new Map(Object.entries(after)).get(name))
  return { ...form, ...Object.fromEntries(untouched) }
}
