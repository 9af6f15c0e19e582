/** Days as the world's banks write them. */

/** Languages whose names of months are read. ICU has the names, also as they follow the number of a day. */
const locales = [
  ...([
    'en',
    'pt',
    'es',
    'fr',
    'de',
    'it',
    'nl',
    'pl',
    'cs',
    'sk',
    'sv',
    'da',
    'nb',
    'fi',
    'tr',
    'hu',
    'ro',
    'ru',
    'uk',
    'el',
    'ca',
    'id',
  ] as const),
  ...(['et', 'lv', 'sl', 'bg'] as const),
]
const shortestName = 3
/** Longer texts are no days. */
const longest = 80

const fold = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('ı', 'i')

/** Month by name, otherwise by the start of a name, without those that mean different months in two languages. */
let months: ReadonlyMap<string, number> | undefined
function monthsByName(): ReadonlyMap<string, number> {
  if (months) return months
  const whole = new Map<string, number>()
  const starts = new Map<string, number>()
  const formats = locales.flatMap((locale) =>
    (['long', 'short'] as const).flatMap((month) =>
      [{ month }, { month, day: 'numeric' } as const].map((parts) => [locale, parts] as const),
    ),
  )
  for (const [locale, parts] of formats) {
    const format = new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' })
    for (let month = 1; month <= 12; month += 1) {
      const name = fold(format.formatToParts(Date.UTC(2021, month - 1, 2)).find(({ type }) => type === 'month')?.value ?? '')
      if (!/^\p{L}+$/u.test(name)) continue
      whole.set(name, (whole.get(name) ?? month) === month ? month : 0)
      for (let end = shortestName; end < name.length; end += 1) {
        const start = name.slice(0, end)
        starts.set(start, (starts.get(start) ?? month) === month ? month : 0)
      }
    }
  }
  months = new Map([...starts, ...whole].filter(([, month]) => month > 0))
  return months
}

/** The month that a word names, from 1; undefined if it names none. */
export const monthNamed = (word: string): number | undefined => monthsByName().get(fold(word))

/** A day that names its month, such as `01 Nov 2021`, `1. Mai 21` or `Nov 1, 2021`, as `YYYY-MM-DD`. */
function namedDay(text: string): string | undefined {
  const tokens = text.match(/\d+|[\p{L}\p{M}]+/gu) ?? []
  if (tokens.length > 12) return undefined
  const named = tokens.flatMap((token, at) => {
    const month = /^\d/.test(token) ? undefined : monthsByName().get(fold(token))
    return month === undefined ? [] : [{ month, at }]
  })
  // `mar` is Tuesday in some languages: the month follows its day.
  const found = named.length > 1 ? (named.find(({ at }) => /^\d{1,2}$/.test(tokens[at - 1] ?? '')) ?? named[0]) : named[0]
  if (!found) return undefined
  const before = tokens.slice(0, found.at).filter((token) => /^\d+$/.test(token))
  const after = tokens.slice(found.at + 1).filter((token) => /^\d+$/.test(token))
  const [day, year] =
    before.length > 0 && before[0]?.length === 4 ? [after[0], before[0]] : before.length > 0 ? [before.at(-1), after[0]] : after
  if (day === undefined || year === undefined || day.length > 2 || (year.length !== 2 && year.length !== 4)) return undefined
  return `${year.length === 2 ? `20${year}` : year}-${String(found.month).padStart(2, '0')}-${day.padStart(2, '0')}`
}

/**
 * Writes a day so that `parseDay` reads it: with a year of four digits and one mark between its parts. Named months give `YYYY-MM-DD`; `2026年3月4日`,
 * `2026. 03. 04.`, `20260304` and `04/03/26` are understood.
 */
export function toDayText(written: string): string {
  const text = written.normalize('NFKC').trim()
  if (text.length > longest) return text
  const compact = /^(\d{4})(\d\d)(\d\d)(?:\d{6})?$/.exec(text)
  if (compact) return compact.slice(1, 4).join('-')
  const eastern = /^(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/.exec(text)
  if (eastern) return eastern.slice(1, 4).join('-')
  if (/[\p{L}]{3}/u.test(text) && !/^\d{4}-\d\d-\d\dT/.test(text)) return namedDay(text) ?? text
  return text
    .replaceAll(/(?<=\d)\s*([/.-])\s*(?=\d)/g, '$1')
    .replace(/^(\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4})\.?(?=$|[\s,])/, '$1')
    .replace(/^(\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}),/, '$1')
    .replace(/^(\d{1,2})([/.-])(\d{1,2})\2(\d{2})(?!\d)/, '$1$2$3$220$4')
}

/** Whether a text is a day in any order of its parts. */
export const isDayText = (text: string): boolean =>
  /^(\d{4}([/.-])\d{1,2}\2\d{1,2}|\d{1,2}([/.-])\d{1,2}\3\d{4})(?!\d)/.test(toDayText(text))
