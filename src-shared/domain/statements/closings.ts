import { dayAfter } from './periods'

/** Balances at the end of statements, which prove the lines of the next one where files give no opening balance. */

/** What was owed on an account after the lines of a day. Minor units. */
export interface Closing {
  readonly day: string
  readonly amount_minor: number
  readonly currency: string
}

/** The end of a statement without an opening balance, which has all lines from `from` to `to`. `earlier`: the account's other closing balances. */
export interface StatementEnd extends Closing {
  readonly from: string
  readonly to: string
  readonly earlier: readonly Closing[]
}

/** A line in the currency of the balances. `isKnown`: it was stored before. */
export interface FollowingLine {
  readonly day: string
  readonly amount_minor: number
  readonly isKnown: boolean
}

/** How lines lead from an earlier balance to that at the end: what is owed, and the amount that they lack. */
export interface Followed {
  readonly opening: number
  readonly closing: number
  readonly difference: number
}

const sumOf = (lines: readonly FollowingLine[]) => lines.reduce((sum, { amount_minor }) => sum + amount_minor, 0)

/** Leads from the closing balance before to that of a statement. Undefined if there is none, or the statement may lack lines between them. */
export function followClosing({ earlier, ...end }: StatementEnd, lines: readonly FollowingLine[]): Followed | undefined {
  const [before] = earlier
    .filter(({ day, currency }) => day < end.day && currency === end.currency)
    .toSorted((one, other) => (one.day < other.day ? 1 : -1))
  if (!before || lines.some(({ day }) => day > end.day)) return undefined
  // A line of the days before that was not there then was posted later.
  const sum = sumOf(lines.filter(({ day, isKnown }) => day > before.day || !isKnown))
  const moved = end.amount_minor - before.amount_minor
  const [lacking, lackingOwed] = [moved - sum, 0 - moved - sum]
  // Banks give what is owed with either sign.
  const sign = Math.abs(lackingOwed) < Math.abs(lacking) ? -1 : 1
  const difference = sign === 1 ? lacking : lackingOwed
  const isWhole = end.from <= dayAfter(before.day) && end.to >= end.day && earlier.every(({ day }) => day !== end.day)
  if (difference !== 0 && !isWhole) return undefined
  return { opening: sign * before.amount_minor + 0, closing: sign * end.amount_minor + 0, difference }
}
