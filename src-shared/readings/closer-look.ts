import { labelOf } from '#shared/readings/amount-labels'
import { wordsOf } from '#shared/readings/receipt-words'
import type { FieldCandidate } from '#shared/readings/reading'
import { toRows } from '#shared/readings/rows'
import type { TextLine } from '#shared/readings/text-line'

/** The fields that decide an expense. */
export const decisiveFields = ['date', 'total'] as const
export type DecisiveField = (typeof decisiveFields)[number]

/** The most lines to read again: a receipt must be read in two seconds. */
const mostLines = 14
const dayLike = /\d\s?[/.,-]\s?\w|20\d\d|\d:\d\d/
const namesAmount = new RegExp(
  `${wordsOf('total')}|${wordsOf('grand')}|${/total|cash|change|rounding|amount|tender|payable|paid|due|visa|card|nett|sales|ttl|troco|pagar|valor|desconto/.source}`,
  'u',
)

/** The lines that may contain a field, most likely first: those like a day, or in rows with amounts. */
export function linesThatMaySay(field: DecisiveField, lines: readonly TextLine[]): TextLine[] {
  const digits = ({ text }: TextLine) => text.match(/\d/g)?.length ?? 0
  if (field === 'date') return lines.filter((line) => dayLike.test(line.text) && digits(line) >= 4).slice(0, mostLines)
  // What is paid is below what was bought.
  return toRows(lines)
    .filter(({ text }) => namesAmount.test(labelOf(text)))
    .flatMap((row) => row.lines.filter((line) => digits(line) > 0))
    .slice(-mostLines)
}

/** The combined readings of a field, most likely first: the mean of each value's probabilities. */
export function agreed(field: DecisiveField, looks: ReadonlyArray<readonly FieldCandidate[]>): FieldCandidate[] {
  const all = looks.flatMap((look) => look.filter((reading) => reading.field === field))
  return [...Map.groupBy(all, ({ value, currency }) => `${value} ${currency}`).values()]
    .flatMap((same) => {
      const [likeliest] = same.toSorted((a, b) => b.probability - a.probability)
      const probability = same.reduce((sum, one) => sum + one.probability, 0) / looks.length
      return likeliest ? [{ ...likeliest, probability: Math.round(probability * 1000) / 1000 }] : []
    })
    .sort((a, b) => b.probability - a.probability)
}
