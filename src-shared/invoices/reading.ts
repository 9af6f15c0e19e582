import { parseInstant } from '#shared/domain/dates'
import { parseAmount } from '#shared/domain/money'
import { isCnpj, isCpf } from '#shared/domain/tax-ids'
import type { Invoice, InvoiceDoubt } from './invoice'

/** The currency of Brazilian electronic invoices. */
const brazilian = 'BRL'

/** An invoice's raw values. */
export type WrittenInvoice = Omit<Invoice, 'issued_on' | 'total_minor' | 'currency' | 'doubts'> & {
  readonly issued: string | undefined
  readonly total: string | undefined
}

/** Parses the values, and adds the doubts that apply to every layout. */
export function toInvoice({ issued, total, ...written }: WrittenInvoice, found: readonly InvoiceDoubt[]): Invoice {
  const { tax_id } = written
  const total_minor = toMinor(total, brazilian)
  const doubts: readonly InvoiceDoubt[] = [
    ...(tax_id !== undefined && !isCnpj(tax_id) && !isCpf(tax_id) ? (['tax_id_digits'] as const) : []),
    ...(total_minor === undefined ? (['total'] as const) : []),
  ]
  return { ...written, currency: brazilian, issued_on: toDay(issued), total_minor, doubts: [...found, ...doubts] }
}

/** The local day of an instant or date, as written. */
export function toDay(text: string | undefined): string | undefined {
  return text !== undefined && parseInstant(text) !== undefined ? text.slice(0, 10) : undefined
}

/** An unsigned amount, exactly; undefined for other texts, and for more decimals than the currency has. */
export function toMinor(text: string | undefined, currency: string): number | undefined {
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined
  const amount = parseAmount(text, currency)
  return amount.kind === 'ok' ? amount.amount_minor : undefined
}
