import { dateWords, monthNamed } from '#shared/domain/date-words'
import { parseInstant } from '#shared/domain/dates'
import { foldWord } from '#shared/domain/search-words'

/** What a person's writing of a day means: `YYYY-MM-DD`, or why it means nothing. */
export type DateInput = { readonly kind: 'ok'; readonly date: string } | { readonly kind: 'empty' } | { readonly kind: 'not_a_date' }

/** A date further ahead than this many days is more often a slip than meant. */
const daysTaken = 7

/** Forms ask for today with every key, and making a format takes longer than all else of it. */
const dayFormats = new Map<string, Intl.DateTimeFormat>()

function dayFormatOf(timeZone: string): Intl.DateTimeFormat {
  const known = dayFormats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone })
  dayFormats.set(timeZone, made)
  return made
}

/** The day that it is somewhere, as `YYYY-MM-DD`. `timezone` is an IANA name. */
export function dayOf(instant: Date, timezone: string): string {
  const parts = dayFormatOf(timezone).formatToParts(instant)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((known) => known.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

/** How far ahead a day is: `far` is more than seven days, and needs a confirmation before it is stored. Both are `YYYY-MM-DD`. */
export function aheadOf(date: string, today: string): 'past' | 'near' | 'far' {
  if (date <= today) return 'past'
  return date <= daysBefore(today, -daysTaken) ? 'near' : 'far'
}

/**
 * Reads a day as people write it, in every language: `3` and `3/1` (the last one that has been; day before month), `3/1/24`,
 * `2024-01-03`, `3 jan`, `yesterday`, `amanhã`, `mañana`, `monday`, `segunda`. `today` is `YYYY-MM-DD`.
 */
export function parseDateInput(text: string, today: string): DateInput {
  const words = foldWord(text.trim())
  if (words === '') return { kind: 'empty' }
  const date = readIso(words) ?? readWord(words, today) ?? readNumbers(words, today) ?? readMonthWord(words, today)
  return date === undefined ? { kind: 'not_a_date' } : { kind: 'ok', date }
}

function readIso(words: string): string | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(words) ? parseInstant(words)?.slice(0, 10) : undefined
}

function readWord(words: string, today: string): string | undefined {
  const { daysAgo: daysAgoOf, weekdays } = dateWords()
  const daysAgo = daysAgoOf.get(words)
  if (daysAgo !== undefined) return daysBefore(today, daysAgo)
  if (!/^[a-z]{3,}(-feira)?$/.test(words)) return undefined
  const weekday = weekdays.findIndex((names) => names.some((name) => name.startsWith(words)))
  if (weekday < 0) return undefined
  return daysBefore(today, (new Date(`${today}T00:00:00Z`).getUTCDay() - weekday + 7) % 7 || 7)
}

function readNumbers(words: string, today: string): string | undefined {
  const [, day, , month, year] = /^(\d{1,2})(?:([/.\- ])(\d{1,2})(?:\2(\d{4}|\d{2}))?)?$/.exec(words) ?? []
  if (day === undefined) return undefined
  return month === undefined ? lastDayNumbered(day, today) : lastDayIn({ day, month: Number(month), year }, today)
}

function readMonthWord(words: string, today: string): string | undefined {
  const [, before, word = '', after, year] =
    /^(\d{1,2})?(?:\s*de)?[\s/.-]*([a-z]{3,10})\.?[\s/.-]*(?:del?\s*)?(?:(\d{1,2})(?:st|nd|rd|th)?)?(?:[\s,/.-]+(\d{4}))?$/.exec(
      withYearApart(words),
    ) ?? []
  const month = monthNamed(word)
  const day = before ?? after
  return month === undefined || day === undefined || (before !== undefined && after !== undefined)
    ? undefined
    : lastDayIn({ day, month, year }, today)
}

/** `3 de jan de 2024` and `3 jan 2024` both end with the year after a space. */
function withYearApart(words: string): string {
  return words.replace(/(?:[\s/.-]|\sdel?)*\s?(\d{4})$/, ' $1')
}

/** The last day of that number that has been: this month, or the nearest earlier month that has one. */
function lastDayNumbered(day: string, today: string): string | undefined {
  const [year = 0, month = 0] = today.split('-').map(Number)
  for (let back = 0; back < 4; back += 1) {
    const first = new Date(Date.UTC(year, month - 1 - back, 1))
    const date = written(first.getUTCFullYear(), first.getUTCMonth() + 1, Number(day))
    if (date !== undefined && date <= today) return date
  }
  return undefined
}

function lastDayIn({ day, month, year }: { day: string; month: number; year: string | undefined }, today: string): string | undefined {
  if (year !== undefined) return written(year.length === 2 ? 2000 + Number(year) : Number(year), month, Number(day))
  const thisYear = Number(today.slice(0, 4))
  // A 29 February may be up to eight years ago.
  const candidates = Array.from({ length: 9 }, (_, back) => written(thisYear - back, month, Number(day)))
  return candidates.find((date) => date !== undefined && date <= today)
}

function written(year: number, month: number, day: number): string | undefined {
  const two = (part: number) => String(part).padStart(2, '0')
  return parseInstant(`${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`)?.slice(0, 10)
}

function daysBefore(today: string, days: number): string {
  return new Date(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
}
