import { factsOfCodes, type DecodedText } from '#shared/codes/facts-of-code'
import type { CodeFacts } from '#shared/codes/facts'
import type { FieldReading, PlaceOnPage, ReadField } from '#shared/readings/reading'

/** A code that was found in a file, and where. */
export type PlacedCode = DecodedText & { readonly place: PlaceOnPage }

const fields: ReadonlyArray<readonly [ReadField, (facts: CodeFacts) => string | undefined]> = [
  ['date', ({ issued_on }) => issued_on],
  ['time', ({ time }) => time],
  ['total', ({ total_minor }) => total_minor?.toString()],
  ['currency', ({ currency }) => currency],
  ['supplier_tax_id', ({ tax_id }) => tax_id],
  ['document_number', ({ number }) => number],
]

/**
 * What the codes of a receipt say of it, exactly. Nothing where they are of several documents: which of them is the receipt's a code does not say.
 */
export function readingsOfCodes(codes: readonly PlacedCode[]): FieldReading[] {
  const [found, ...others] = factsOfCodes(codes)
  if (!found || others.length > 0) return []
  const { facts, code } = found
  return fields.flatMap(([field, valueOf]) => {
    const value = valueOf(facts)
    return value === undefined ? [] : [{ field, value, probability: 1, source: 'code' as const, place: code.place }]
  })
}

/** How likely a date is that was read in another month than the code says. */
const otherMonth = 0.01

/** Readings with those of the codes first: what a code says takes the place of what was read elsewhere, and its month is held against the dates. */
export function withCodes(codes: readonly PlacedCode[], read: readonly FieldReading[]): FieldReading[] {
  const exact = readingsOfCodes(codes)
  const known = new Set(exact.map(({ field }) => field))
  const month = factsOfCodes(codes)[0]?.facts.month
  const others = read.filter(({ field }) => !known.has(field))
  if (exact.length === 0 || month === undefined) return others
  return [
    ...exact,
    ...others.map((one) =>
      one.field === 'date' && !one.value.startsWith(month) ? { ...one, probability: Math.min(one.probability, otherMonth) } : one,
    ),
  ]
}
