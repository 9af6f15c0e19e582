import { type DateOrder, parseDay } from '../detect-values'
import { isDayText, monthNamed, toDayText } from './days'
import { dayAfter } from '#shared/domain/statements/periods'

/** A day at the start of a text. `short`: its two numbers where it has no year, in the order in which they are written, or as month and day. */
export interface FoundDay {
  readonly length: number
  readonly text: string
  readonly short: { readonly first: number; readonly second: number; readonly isNamed: boolean } | undefined
}

const whole =
  /^(?:\d{1,2}\s?([./-])\s?\d{1,2}\s?\1\s?(?:\d{4}|\d{2})|\d{4}([./-])\s?\d{1,2}\2\s?\d{1,2}\.?|\d{4}年\s?\d{1,2}月\s?\d{1,2}日)(?![\d/-]|[.,]\d)/
const short = /^(?:(\d{1,2})\s?[/-]\s?(\d{1,2})(?![\d/-]|[.,]\d)|(\d{1,2})\.\s?(\d{1,2})\.(?!\d)|(\d{1,2})月\s?(\d{1,2})日)/
const dayFirst = /^(\d{1,2})(?:st|nd|rd|th|\.|º)?([\s/-]*)(?:de\s)?(\p{L}{3,12})\.?(?:[,\s/-]*(?:de\s)?(\d{4}))?(?![\p{L}\p{N}]|[.,]\d)/u
const monthFirst = /^(\p{L}{3,12})\.?\s(\d{1,2})(?:st|nd|rd|th)?(?:,?\s(\d{4}))?(?![\p{L}\p{N}/]|[.,]\d)/u
/** Years of two digits follow a mark, or end the text: a number after a short day may be a merchant's. */
const shortYear = /^(?:[/'-]\s?\d{2}|\s'?\d{2}(?=$))(?!\d)/

/** The day at the start of a text, with or without its year. Undefined if it begins with none. */
export function dayAt(text: string): FoundDay | undefined {
  const start = text.slice(0, 40)
  const full = whole.exec(start)?.[0]
  if (full !== undefined && isDayText(full)) return { length: full.length, text: full, short: undefined }
  const [written, ...parts] = short.exec(start) ?? []
  const [first, second] = parts.filter((part) => part !== undefined).map(Number)
  if (written !== undefined && first !== undefined && second !== undefined && isMonthAndDay(first, second))
    return { length: written.length, text: written, short: { first, second, isNamed: written.includes('月') } }
  return namedDayAt(start)
}

const isMonthAndDay = (one: number, other: number) => Math.min(one, other) >= 1 && Math.min(one, other) <= 12 && Math.max(one, other) <= 31

function namedDayAt(start: string): FoundDay | undefined {
  const [before, day = '', , name = '', year] = dayFirst.exec(start) ?? []
  const [after, otherName = '', otherDay = '', otherYear] = before === undefined ? (monthFirst.exec(start) ?? []) : []
  const written = before ?? after
  const month = monthNamed(before === undefined ? otherName : name)
  const number = Number(before === undefined ? otherDay : day)
  if (written === undefined || month === undefined || number < 1 || number > 31) return undefined
  if ((year ?? otherYear) !== undefined) return isDayText(written) ? { length: written.length, text: written, short: undefined } : undefined
  const end = before === undefined ? undefined : shortYear.exec(start.slice(written.length))?.[0]
  if (end !== undefined) {
    const text = `${day} ${name} 20${end.replaceAll(/\D/g, '')}`
    return isDayText(text) ? { length: written.length + end.length, text, short: undefined } : undefined
  }
  return { length: written.length, text: written, short: { first: month, second: number, isNamed: true } }
}

/** How days without a year become whole ones: the order of their numbers, if it is known, and the last day of the statement. */
export interface YearOfDays {
  readonly order: DateOrder | undefined
  readonly last: string | undefined
}

/** A booking may be posted after the end of a statement. Days. */
const afterEnd = 7

/** A day as `toDayText` reads it, with the latest year that is not after the end of the statement. Without an end it stays as it is. */
export function wholeDay({ text, short: parts }: FoundDay, { order, last }: YearOfDays): string {
  if (!parts) return (order && parseDay(toDayText(text), order)) ?? text
  if (last === undefined) return text
  const { first, second, isNamed } = parts
  const isMonthFirst = isNamed || order === 'mdy' || order === 'ymd'
  const [month, day] = isMonthFirst || (order === undefined && second > 12) ? [first, second] : [second, first]
  const end = dayAfter(last, afterEnd)
  const two = (number: number) => String(number).padStart(2, '0')
  const years = [Number(end.slice(0, 4)), Number(end.slice(0, 4)) - 1]
  const year = years.find((one) => `${one}-${two(month)}-${two(day)}` <= end) ?? years[1]
  return isNamed || order !== undefined ? `${year}-${two(month)}-${two(day)}` : `${two(first)}/${two(second)}/${year}`
}

/** Days of one statement are within so many of each other; days before and after are of something else, such as when an account was opened. */
const longest = 125
const anywhere =
  /(?<![\d.,/-])\d{1,4}\s?([./-])\s?\d{1,2}\s?\1\s?\d{2,4}(?![\d/-]|[.,]\d)|\d{4}年\s?\d{1,2}月\s?\d{1,2}日|\d{1,2}\.?[\s/-]+(?:de\s)?\p{L}{3,12}\.?,?[\s/-]+(?:de\s)?\d{4}|\p{L}{3,12}\.?\s\d{1,2},\s?\d{4}/gu
const months = /(?<!\p{L})(\p{L}{3,12})\.?[\s/-]+(?:de\s)?(20\d\d)(?!\d)/gu

/** The whole days in texts, as written. */
export const daysIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => (text.length > 300 ? [] : [...text.matchAll(anywhere)].map(([day]) => day).filter(isDayText)))

/** The last day of a statement: of most whole days that are near each other, otherwise of a month that it names. Undefined if it has none. */
export function lastDayIn(texts: readonly string[], order: DateOrder): string | undefined {
  const days = [...new Set(daysIn(texts).flatMap((day) => parseDay(toDayText(day), order) ?? []))].toSorted()
  let best: { readonly last: string; readonly count: number } | undefined
  let from = 0
  for (const [at, last] of days.entries()) {
    while (dayAfter(days[from] ?? last, longest) < last) from += 1
    if (at - from + 1 >= (best?.count ?? 0)) best = { last, count: at - from + 1 }
  }
  if (best) return best.last
  const named = texts
    .filter(({ length }) => length <= 300)
    .flatMap((text) =>
      [...text.matchAll(months)].flatMap(([, name = '', year]) => {
        const month = monthNamed(name)
        return month === undefined ? [] : [new Date(Date.UTC(Number(year), month, 0)).toISOString().slice(0, 10)]
      }),
    )
  return named.toSorted().at(-1)
}
