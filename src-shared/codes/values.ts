import { parseInstant } from '#shared/domain/dates'
import { parseAmount } from '#shared/domain/money'
import { isCnpj, isCpf } from '#shared/domain/tax-ids'

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
