import { dayAfter } from './periods'

/** Balances at the end of statements, with which the next one has to begin. They prove its lines where files give no opening balance. */

/** What was owed on an account after the lines of a day. Minor units. */
export interface Closing {
  readonly day: string
  readonly amount_minor: number
  readonly currency: string
}

/**
 * The end of a statement, which has all lines from `from` to `to`. `opening`: what was owed at its start; null if its file does not say, and `amount_minor`
 * then has the file's sign. `earlier`: the account's other closing balances.
 */
export interface StatementEnd extends Closing {
  readonly opening: number | null
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

/** The closing balance of the latest statement that ended before this one. */
const beforeOf = ({ earlier, day, currency }: StatementEnd) =>
  earlier.filter((one) => one.day < day && one.currency === currency).toSorted((one, other) => (one.day < other.day ? 1 : -1))[0]

/** Where a statement does not begin with what the one before ended with: `gap`, or `overlap` of their days. `by`: what is missing between them. */
export interface Meeting {
  readonly kind: 'gap' | 'overlap'
  readonly before: Closing
  readonly by: number
}

/** Compares a statement's opening balance with the end of the one before. Undefined where they agree, or where there is nothing to compare. */
export function meetBefore(end: StatementEnd, lines: readonly FollowingLine[]): Meeting | undefined {
  const before = beforeOf(end)
  const { opening } = end
  if (opening === null || !before) return undefined
  const within = lines.filter(({ day }) => day <= before.day)
  // Lines of these days that are new were posted after the statement before.
  const reached = [within, within.filter(({ isKnown }) => isKnown)].map((some) => opening + sumOf(some))
  const missing = reached.flatMap((balance) => [balance - before.amount_minor, balance + before.amount_minor])
  const by = missing.reduce((least, one) => (Math.abs(one) < Math.abs(least) ? one : least))
  return by === 0 ? undefined : { kind: end.from > before.day ? 'gap' : 'overlap', before, by }
}

/** Leads from the closing balance before to that of a statement. Undefined if there is none, or the statement may lack lines between them. */
export function followClosing(end: StatementEnd, lines: readonly FollowingLine[]): Followed | undefined {
  const before = beforeOf(end)
  if (end.opening !== null || !before || lines.some(({ day }) => day > end.day)) return undefined
  // A line of the days before that was not there then was posted later.
  const sum = sumOf(lines.filter(({ day, isKnown }) => day > before.day || !isKnown))
  const moved = end.amount_minor - before.amount_minor
  const [lacking, lackingOwed] = [moved - sum, 0 - moved - sum]
  // Banks give what is owed with either sign.
  const sign = Math.abs(lackingOwed) < Math.abs(lacking) ? -1 : 1
  const difference = sign === 1 ? lacking : lackingOwed
  const isWhole = end.from <= dayAfter(before.day) && end.to >= end.day && end.earlier.every(({ day }) => day !== end.day)
  if (difference !== 0 && !isWhole) return undefined
  return { opening: sign * before.amount_minor + 0, closing: sign * end.amount_minor + 0, difference }
}
