import { type LineText, isLaterPart } from '#shared/domain/statements/line-texts'

/** The days that imported statements cover, which say what a file and a card must have in common. */

/**
 * A statement's days, `YYYY-MM-DD`: all lines of a card between `from` and `to` are in it; on these two days it may be cut. `first`: its earliest
 * line, such as an instalment with the day of its purchase. `open`: days of unsure lines that were left out; null while its lines are added.
 */
export interface Period {
  readonly from: string
  readonly to: string
  readonly first: string
  readonly open: readonly string[] | null
}

/** On a day: how many lines one side has, and how many of the other side's lines it lacks. */
export interface DayEvidence {
  readonly day: string
  readonly own: number
  readonly missing: number
}

/**
 * Whether the lines of a period's first days may be those of earlier statements, by how many lines it has there and how many are missing: if it must
 * not be so, and if it is likely so. One missing line of many was posted late.
 */
const strays = {
  possible: (own: number, missing: number) => missing * 10 >= own,
  likely: (own: number, missing: number) => missing > 2 * own + 2,
} as const
const msPerDay = 86_400_000

/** A day some days later. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * msPerDay).toISOString().slice(0, 10)

/** The period of a file's lines; undefined if it has none. */
export function periodOf(lines: ReadonlyArray<{ readonly day: string; readonly text: LineText }>): Period | undefined {
  const all = lines.map(({ day }) => day).toSorted()
  const own = lines.filter(({ text }) => !isLaterPart(text)).map(({ day }) => day)
  const [first, to] = [all[0], all.at(-1)]
  if (first === undefined || to === undefined) return undefined
  return { from: own.toSorted()[0] ?? first, to, first, open: [] }
}

/** A period without its first days where they are of earlier statements: `possible` or `likely`. Evidence in day order. */
export function withoutStrays(period: Period, evidence: readonly DayEvidence[], how: keyof typeof strays): Period {
  let [own, missing] = [0, 0]
  let { from } = period
  for (const one of evidence) {
    if (one.day < period.from || one.day >= period.to) continue
    own += one.own
    if (one.day > period.from && !isOpen(period, one.day)) missing += one.missing
    if (one.missing > 0 && missing > 0 && strays[how](own, missing)) from = dayAfter(one.day)
  }
  return from === period.from ? period : { ...period, from }
}

/** Whether a period has all lines of a day, or all but unsure ones. */
export const covers = ({ from, to, open }: Period, day: string): boolean => open !== null && from < day && day < to
/** Whether unsure lines of a day were left out. */
export const isOpen = ({ open }: Period, day: string): boolean => open?.includes(day) ?? false
/** Whether a line of this day belongs to the days of a period, and not to an earlier statement. */
export const includes = ({ from, to }: Period, day: string): boolean => from <= day && day <= to
/** Whether a period may begin within a day: with `strays` also where its strays do. */
export const beginsOn = ({ from, first }: Period, day: string, strays: boolean): boolean => from === day || (strays && first === day)
