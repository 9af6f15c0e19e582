import { factsOfCodes, type DecodedText } from '#shared/codes/facts-of-code'
import type { CodeFacts } from '#shared/codes/facts'
import type { FieldCandidate, PlaceOnPage, ReadField } from '#shared/readings/reading'

/** A code in a file, and its place. */
export type PlacedCode = DecodedText & { readonly place: PlaceOnPage }

const fields: ReadonlyArray<readonly [ReadField, (facts: CodeFacts) => string | undefined]> = [
  ['date', ({ issued_on }) => issued_on],
  ['time', ({ time }) => time],
  ['total', ({ total_minor }) => total_minor?.toString()],
  ['currency', ({ currency }) => currency],
  ['supplier_tax_id', ({ tax_id }) => tax_id],
  ['document_number', ({ number }) => number],
]

/** The exact values in a receipt's codes. Empty if they belong to several documents, as nothing tells which one is the receipt's. */
export function readingsOfCodes(codes: readonly PlacedCode[]): FieldCandidate[] {
  const [found, ...others] = factsOfCodes(codes)
  if (!found || others.length > 0) return []
  const { facts, code } = found
  return fields.flatMap(([field, valueOf]) => {
    const value = valueOf(facts)
    const { currency } = facts
    const priced = field === 'total' && currency !== undefined ? { currency } : {}
    return value === undefined ? [] : [{ field, value, ...priced, probability: 1, source: 'code' as const, place: code.place }]
  })
}

/** The factor for a date whose month differs from the code's. */
const otherMonth = 0.01

/** Adds the codes' readings first: they replace other readings, and their month lowers the probability of dates in other months. */
export function withCodes(codes: readonly PlacedCode[], read: readonly FieldCandidate[]): FieldCandidate[] {
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
