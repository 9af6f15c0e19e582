import { decimalReadings } from '#shared/domain/amount-text'
import { monthNamed } from '#shared/domain/date-words'
import { searchWords } from '#shared/domain/search-words'

/**
 * One part of a search; an expense must match all parts. `words`: anywhere in its text, or the beginning of a word. The input may also be its number,
 * its amount (`phrases`, as the index has amounts), or its day, with or without the year.
 */
export type SearchTerm = {
  readonly words: readonly string[]
  readonly id?: number
  readonly phrases?: readonly string[]
  readonly day?: { readonly year?: string; readonly month: string; readonly day: string }
}

const named = String.raw`(?<nday>\d{1,2})(?:\s+de)?\s+(?<name>\p{L}{3,})\.?(?:(?:\s+del?)?\s+(?<nyear>\d{4}))?`
const numeric = String.raw`(?<day>\d{1,2})\/(?<month>\d{1,2})(?:\/(?<year>\d{4}))?`
const iso = String.raw`(?<iyear>\d{4})-(?<imonth>\d{2})-(?<iday>\d{2})`
/** Matches input that is more than a word: a number with its sign, a day, or an amount with separators. */
const special = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:#(?<id>\d{1,15})|${iso}|${numeric}|${named}|(?<amount>\d+(?:[.,]\d+)+))(?![\p{L}\p{N}])`,
  'giu',
)

/** Parses a search: days with the day before the month, amounts with either separator, `#11057` for a number. */
export function readSearch(search: string): SearchTerm[] {
  const terms: SearchTerm[] = []
  let rest = ''
  let end = 0
  for (const match of search.matchAll(special)) {
    const term = toTerm(match[0], match.groups ?? {})
    if (!term) continue
    terms.push(term)
    rest += `${search.slice(end, match.index)} `
    end = match.index + match[0].length
  }
  const words = searchWords(rest + search.slice(end))
  return words.length === 0 ? terms : [...terms, { words }]
}

function toTerm(text: string, groups: Readonly<Record<string, string | undefined>>): SearchTerm | undefined {
  const words = searchWords(text)
  if (groups.id !== undefined) return { words, id: Number(groups.id) }
  if (groups.amount !== undefined) return { words, phrases: decimalReadings(groups.amount).map((amount) => amount.replace('.', ' ')) }
  const month = groups.name === undefined ? (groups.month ?? groups.imonth) : monthNamed(groups.name)?.toString()
  const day = groups.day ?? groups.iday ?? groups.nday
  if (month === undefined || day === undefined) return undefined
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return undefined
  const year = groups.year ?? groups.iyear ?? groups.nyear
  return { words, day: { year, month: month.padStart(2, '0'), day: day.padStart(2, '0') } }
}
