/** The data of electronic invoices that policies compare with an expense. */

/**
 * The data of an electronic invoice; null for missing values. `key` identifies it; `total_minor`: in minor units of `currency`; `issued_on`:
 * `YYYY-MM-DD` at the place of issue; `buyer_tax_id`: without punctuation.
 */
export interface InvoiceFacts {
  readonly key: string | null
  readonly total_minor: number | null
  readonly currency: string | null
  readonly issued_on: string | null
  readonly buyer_tax_id: string | null
}

/** An amount in the minor units of its currency. */
export interface InvoicedTotal {
  readonly minor: number
  readonly currency: string
}

/**
 * The total of some invoices. An invoice that an expense has twice, such as its XML and a picture of its code, counts once. Undefined if one has no
 * total, they have several currencies, or there are none.
 */
export function totalOf(invoices: readonly InvoiceFacts[]): InvoicedTotal | undefined {
  const telling = invoices.toSorted((one, other) => Number(one.total_minor === null) - Number(other.total_minor === null))
  const once = telling.filter(({ key }, index) => key === null || telling.findIndex((other) => other.key === key) === index)
  const totals = once.flatMap(({ total_minor, currency }) => (total_minor === null || currency === null ? [] : { total_minor, currency }))
  const [first] = totals
  if (!first || totals.length < once.length || totals.some(({ currency }) => currency !== first.currency)) return undefined
  return { minor: totals.reduce((sum, { total_minor }) => sum + total_minor, 0), currency: first.currency }
}

const dayMs = 86_400_000

/** The largest distance in days between some invoices and a day; 0 if none has a date. */
export function daysFrom(invoices: readonly InvoiceFacts[], day: string): number {
  const apart = invoices.flatMap(({ issued_on }) => (issued_on === null ? [] : Math.abs(Date.parse(issued_on) - Date.parse(day))))
  return Math.max(0, ...apart) / dayMs
}

/** Whether one of some invoices names a buyer who is not among these. */
export function namesOtherBuyer(invoices: readonly InvoiceFacts[], tax_ids: readonly string[]): boolean {
  const known = new Set(tax_ids.map(toBareTaxId))
  return invoices.some(({ buyer_tax_id }) => buyer_tax_id !== null && !known.has(toBareTaxId(buyer_tax_id)))
}

/** A tax number without punctuation, in capital letters. */
export function toBareTaxId(text: string): string {
  return text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
}
