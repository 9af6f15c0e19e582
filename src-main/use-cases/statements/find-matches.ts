import { type RateSource, readRates } from '#shared/domain/reports/rate-sheets'
import { findRate, toBooks } from '#shared/domain/reports/rate-table'
import type { MatchedClaim, MatchedLine, UsualRate } from '#shared/domain/statements/compare'
import type { LineOfExpense } from '#shared/domain/statements/refunds'
import { type Proposal, matchLines } from '#shared/domain/statements/match'

/** What is matched, and the organization's own exchange rates as they are stored. */
export interface MatchTask {
  readonly lines: readonly MatchedLine[]
  readonly claims: readonly MatchedClaim[]
  /** Earlier lines that have expenses: money may come back for these. */
  readonly matched: readonly LineOfExpense[]
  readonly sheets: ReadonlyArray<{ readonly source: RateSource; readonly currency: string; readonly rates: string }>
  /** The most proposals of a response; of the others it has only the lines and claims that they are about. */
  readonly most: number
}

/** What was found: the first proposals, and all that proposals are about. */
export interface FoundMatches {
  readonly proposals: readonly Proposal[]
  readonly count: number
  readonly line_ids: readonly number[]
  readonly claim_ids: readonly number[]
}

const dayMs = 86_400_000

/** Matches lines to claims. */
export function findMatches({ lines, claims, matched, sheets, most }: MatchTask): FoundMatches {
  const proposals = matchLines(lines, claims, { usualRate: usualRateOf(sheets), matched })
  return {
    proposals: proposals.slice(0, most),
    count: proposals.length,
    line_ids: [...new Set(proposals.flatMap((proposal) => proposal.lines.map(({ id }) => id)))],
    claim_ids: [...new Set(proposals.flatMap((proposal) => proposal.claims.map(({ id }) => id)))],
  }
}

function usualRateOf(sheets: MatchTask['sheets']): UsualRate {
  const books = toBooks(
    sheets.map(({ source, currency, rates }) => {
      const read = readRates(source, rates)
      return { source, currency, rates: read.kind === 'ok' ? read.rates : [] }
    }),
  )
  return (from, to, day) => {
    const found = findRate(books, { from, to, day: new Date(day * dayMs).toISOString().slice(0, 10) })
    return found ? Number(found.rate.numerator) / Number(found.rate.denominator) : undefined
  }
}
