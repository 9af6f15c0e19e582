/** The machine-readable content of a receipt. */

/** The fields of a receipt. */
export const readFields = ['date', 'time', 'total', 'currency', 'supplier_name', 'supplier_tax_id', 'document_number', 'tax'] as const
export type ReadField = (typeof readFields)[number]

/** The sources of a value, most trusted first: a code on the receipt, an electronic invoice, the text of a PDF, pixels. */
export const readingSources = ['code', 'invoice', 'text', 'pixels'] as const
export type ReadingSource = (typeof readingSources)[number]

/** A part of a page, in fractions of its width and height; `page` from 0. */
export interface PlaceOnPage {
  readonly page: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * A value that may be on a receipt. `value`: dates as `YYYY-MM-DD`, times as `HH:MM`, amounts as digits of minor units of `currency` or, without one,
 * of hundredths; currencies as ISO codes, tax numbers without punctuation, others as printed. `probability`: how often such a value is right, 0 to 1; 1
 * if exact.
 */
export interface FieldCandidate {
  readonly field: ReadField
  readonly value: string
  readonly currency?: string | undefined
  readonly probability: number
  readonly source: ReadingSource
  readonly place?: PlaceOnPage | undefined
}

/** A value that was read. `fills`: it is sure enough to fill an empty field; others are offered. */
export interface FieldReading extends FieldCandidate {
  readonly fills: boolean
}

/** Readings by trust, then by probability. */
export function mostTrustedFirst<Reading extends FieldCandidate>(readings: readonly Reading[]): Reading[] {
  const rank = ({ source }: Reading) => readingSources.indexOf(source)
  return readings.toSorted((a, b) => rank(a) - rank(b) || b.probability - a.probability)
}
