import { type Language, languages, localeOf } from '#shared/domain/locales'
import { foldWord } from '#shared/domain/search-words'

/** Words for days in every language, in lower case without accents, from `Intl`. */
export type DateWords = {
  /** The words of a month, January first. Their first three letters are unique across languages. */
  readonly months: readonly (readonly string[])[]
  /** The words of a weekday, Sunday first. */
  readonly weekdays: readonly (readonly string[])[]
  /** The number of days ago that a word means: `yesterday` 1, `mañana` -1. */
  readonly daysAgo: ReadonlyMap<string, number>
}

let words: DateWords | undefined

/** Words for days in every language. */
export function dateWords(): DateWords {
  words ??= {
    months: Array.from({ length: 12 }, (_, month) => inAll({ month: 'long' }, new Date(Date.UTC(2023, month)))),
    // 1 January 2023 was a Sunday.
    weekdays: Array.from({ length: 7 }, (_, day) => inAll({ weekday: 'long' }, new Date(Date.UTC(2023, 0, day + 1)))),
    daysAgo: new Map([-1, 0, 1, 2].flatMap((days) => languages.map((language) => [daysAgoIn(language, days), days] as const))),
  }
  return words
}

function inAll(part: Intl.DateTimeFormatOptions, date: Date): string[] {
  return languages.map((language) => foldWord(new Intl.DateTimeFormat(localeOf(language).tag, { ...part, timeZone: 'UTC' }).format(date)))
}

function daysAgoIn(language: Language, days: number): string {
  return foldWord(new Intl.RelativeTimeFormat(localeOf(language).tag, { numeric: 'auto' }).format(-days, 'day'))
}

/** The number of a named month, 1 to 12, by its first three letters; undefined for other words. */
export function monthNamed(word: string): number | undefined {
  const start = foldWord(word).slice(0, 3)
  const index = dateWords().months.findIndex((names) => names.some((name) => name.startsWith(start)))
  return start.length < 3 || index < 0 ? undefined : index + 1
}
