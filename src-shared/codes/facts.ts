import { parseInstant } from '#shared/domain/dates'
import { parseAmount } from '#shared/domain/money'
import { isCnpj, isCpf } from '#shared/domain/tax-ids'

/** The symbologies that are read from pictures: no receipt uses others. */
export const codeFormats = ['QRCode', 'Code128'] as const
export type CodeFormat = (typeof codeFormats)[number]

/** The documents whose codes are supported: Brazilian ones by model, the national NFS-e, and Portuguese invoices. */
export type CodedDocument = 'nfe' | 'nfce' | 'cte' | 'sat' | 'ticket' | 'utility' | 'nfse' | 'pt'

/**
 * The values in a code, as printed. `key` identifies the document, as in its XML if there is one. `month`: `YYYY-MM`. `issued_on`: `YYYY-MM-DD` and
 * `time`: `HH:MM`, both at the place of issue. `total_minor`: in minor units of the currency. Values that the code lacks are undefined.
 */
export interface CodeFacts {
  readonly document: CodedDocument
  readonly key: string
  readonly tax_id: string | undefined
  readonly month: string
  readonly number: string
  readonly currency: 'BRL' | 'EUR'
  readonly issued_on: string | undefined
  readonly time: string | undefined
  readonly total_minor: number | undefined
  readonly buyer_tax_id: string | undefined
}

/** A date `YYYY-MM-DD`; undefined if it does not exist, such as 31 June. */
export function toDay(text: string): string | undefined {
  return parseInstant(`${text}T12:00:00Z`)?.slice(0, 10) === text ? text : undefined
}

/** An amount with at most two decimals after a dot or comma, in minor units; undefined for other texts. */
export function toMinorUnits(text: string, currency: 'BRL' | 'EUR'): number | undefined {
  if (!/^\d{1,12}(?:[.,]\d{1,2})?$/.test(text)) return undefined
  const amount = parseAmount(text.replace(',', '.'), currency)
  return amount.kind === 'ok' ? amount.amount_minor : undefined
}

/** A CNPJ or CPF with valid check digits; undefined for other texts. */
export function toTaxNumber(text: string): string | undefined {
  return isCnpj(text) || isCpf(text) ? text : undefined
}
