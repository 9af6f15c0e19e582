import { parseInstant } from '#shared/domain/dates'
import { parseAmount } from '#shared/domain/money'
import { isCnpj, isCpf } from '#shared/domain/tax-ids'
import { invoiceCurrency } from '#shared/domain/policies/invoices'
import type { Invoice, InvoiceDoubt } from '#shared/invoices/invoice'

/** What an invoice says as its file writes it. */
export type WrittenInvoice = Omit<Invoice, 'issued_on' | 'total_minor' | 'doubts'> & {
  readonly issued: string | undefined
  readonly total: string | undefined
}

/** Interprets the fields, and adds the doubts of every layout to those of the layout's own reader. */
export function toInvoice({ issued, total, ...written }: WrittenInvoice, found: readonly InvoiceDoubt[]): Invoice {
  const { tax_id } = written
  const total_minor = toMinor(total)
  const doubts: readonly InvoiceDoubt[] = [
    ...(tax_id !== undefined && !isCnpj(tax_id) && !isCpf(tax_id) ? (['tax_id_digits'] as const) : []),
    ...(total_minor === undefined ? (['total'] as const) : []),
  ]
  return { ...written, issued_on: toDay(issued), total_minor, doubts: [...found, ...doubts] }
}

/** The day of an instant or a date at the place where it was written. */
export function toDay(text: string | undefined): string | undefined {
  return text !== undefined && parseInstant(text) !== undefined ? text.slice(0, 10) : undefined
}

function toMinor(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined
  const amount = parseAmount(text, invoiceCurrency)
  return amount.kind === 'ok' ? amount.amount_minor : undefined
}
