import { z } from 'zod'
import { monthAfter, startOfMonth } from '#shared/domain/closing/months'
import { type RateSource, linesBetween, rateSources } from '#shared/domain/reports/rate-sheets'
import { heldDays } from '#shared/domain/reports/rate-table'

const sheets = z.array(z.object({ source: z.enum(rateSources), currency: z.string(), rates: z.string() }))
/** A stored sheet: source, currency and lines. */
type Sheet = z.infer<typeof sheets>[number]

/**
 * The rates that a closed month keeps from its organization's sheets, as one text: the lines that can convert amounts of its days, so that changing
 * or deleting a sheet does not change the month. Null if there are none.
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

/** Parses the sheets in such a text. */
export function readKeptRates(text: string): Sheet[] {
  return sheets.parse(JSON.parse(text))
}
