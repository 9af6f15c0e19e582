import { z } from 'zod'
import { monthAfter, startOfMonth } from '#shared/domain/closing/months'
import { type RateSource, linesBetween, rateSources } from '#shared/domain/reports/rate-sheets'
import { heldDays } from '#shared/domain/reports/rate-table'

const sheets = z.array(z.object({ source: z.enum(rateSources), currency: z.string(), rates: z.string() }))
/** A sheet as it is stored: whose rates, in which currency, and their lines. */
type Sheet = z.infer<typeof sheets>[number]

/**
 * What a closed month keeps of the sheets of its organization, as one text: the lines that can convert an amount of one of its days. Changing or deleting a
 * sheet then changes no figure of the month. Null where there are none.
 */
export function keepRates(all: readonly Sheet[], month: string): string | null {
  const start = startOfMonth(month)
  const until = `${monthAfter(month)}-01`
  const firstOf = (source: RateSource) => new Date(Date.parse(start) - heldDays[source] * 86_400_000).toISOString().slice(0, 10)
  const kept = all.flatMap(({ source, currency, rates }) => {
    const lines = linesBetween(source, rates, { from: firstOf(source), until })
    return lines === undefined ? [] : [{ source, currency, rates: lines }]
  })
  return kept.length === 0 ? null : JSON.stringify(kept)
}

/** The sheets that such a text holds. */
export function readKeptRates(text: string): Sheet[] {
  return sheets.parse(JSON.parse(text))
}
