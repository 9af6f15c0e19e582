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
