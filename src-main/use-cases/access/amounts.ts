import { isWithdrawn } from '#shared/domain/currencies'
import { type DomainError, invalid } from '#shared/domain/errors'
import { parseAmount, toScaled } from '#shared/domain/money'

/** A stored amount: exact minor units, and the common scale by which amounts of all currencies are compared. */
export interface StoredAmount {
  readonly amount_minor: number
  readonly amount_scaled: number
}

/**
 * An amount that can be stored: a number, exact in its currency, above zero (supplement, "Amounts"), or not zero if signed. Otherwise throws {@link
 * DomainError} under `attribute`; nothing is ever rounded.
 */
export function toStoredAmount(
  value: number | string,
  { currency, attribute, isSigned = false }: { currency: string; attribute: string; isSigned?: boolean },
): StoredAmount {
  const parsed = parseAmount(typeof value === 'string' ? value.trim() : value, currency)
  if (parsed.kind !== 'ok') throw refuseAmount(parsed.kind, { currency, attribute })
  if (isSigned ? parsed.amount_minor === 0 : parsed.amount_minor <= 0) throw invalid(attribute, 'greater_than', { limit: 0 })
  return { amount_minor: parsed.amount_minor, amount_scaled: toScaled(parsed.amount_minor, currency) }
}

/** Throws {@link DomainError} for a currency that was withdrawn from ISO 4217, unless the record has it already (`kept`). */
export function assertCurrencyInUse(
  currency: string,
  { kept, attribute = 'currency' }: { kept?: string | null; attribute?: string } = {},
): void {
  if (currency !== kept && isWithdrawn(currency)) throw invalid(attribute, 'withdrawn_currency', { currency })
}

function refuseAmount(
  kind: 'not_a_number' | 'too_precise' | 'too_large',
  { currency, attribute }: { currency: string; attribute: string },
): DomainError {
  return kind === 'too_precise' ? invalid(attribute, kind, { currency }) : invalid(attribute, kind)
}
