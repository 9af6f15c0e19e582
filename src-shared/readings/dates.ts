import { monthNamed } from '#shared/domain/date-words'
import type { DayOrder } from '#shared/readings/countries'
import { foldWord } from '#shared/domain/search-words'
import { type Features, mergeFeatures } from '#shared/readings/classify'
import { type Part, type TextRow, findParts, squeeze, weakestOf } from '#shared/readings/rows'

/** A day on a receipt, `YYYY-MM-DD`. `swapped`: the day that it may be as well, where nothing tells the day from the month. */
export interface DateCandidate {
  readonly value: string
  readonly swapped: string | undefined
  readonly parts: readonly Part[]
  readonly features: Features
}

const numeric =
  /(?<![\d.,/])(\d{1,2})\s?([/.,-])\s?(\d{1,2})\s?\2\s?(20\d{2}(?!\d{1,3}[/.-]|\d(?![\d:]))|\d{2}(?!:|\d{1,3}[/.-]|\d(?!\d?\s?[:.]\s?\d{2})))/g
/** Digits, some of which may be misread as letters. */
const lettered =
  /(?<![a-z\d])(?=(?:[^\d]*\d){4})([\doilsb]{1,2})\s?([/.-])\s?([\doilsb]{1,2})\s?\2\s?(2[\do][\doilsb]{2}|[\doilsb]{2})(?![a-z\d])/gi
const lettersOf: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1', s: '5', b: '8' }
/** A separator between day, month and year that was lost or misread as a digit or another sign. */
const broken = /(?<!\d)([0-3]\d)(?:(?:[/.,-]?|7)([01]\d)[/.,-](20\d{2})|[/.,-]([01]\d)7?(20[0-3]\d)(?!\d))/g
const yearFirst = /(?<!\d)(20\d{2})\s?[/.\-年년]\s?(\d{1,2})\s?[/.\-月월]\s?(\d{1,2})/g
const named = /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?[\s./-]*(?:de\s*)?(\p{L}(?:\s?\p{L}){2,10}?)[\s.,/'-]*(?:de\s*)?(20\d{2}|\d{2}(?!\d))/giu
/** A month's three letters with one misread, between two equal signs. */
const misspelt = /(?<!\d)(\d{1,2})([/.-])([a-z0158]{3})\2(20\d{2}|\d{2}(?!\d))/gi
const monthNamedFirst = /(?<!\p{L})(\p{L}{3,11})[\s.]*(\d{1,2})(?:st|nd|rd|th)?[\s,.]+(20\d{2})/giu

const time = /\d{1,2}\s?[:.h]\s?\d{2}\s?(?:[:.]\s?\d{2})?\s?(?:am|pm)?/i
/** The head of a mail, which says when it was sent. */
const mailHead = /^\W*(?:sent|enviad[oa]|gesendet|envoy[eé]e?|inviato|verzonden)\b.*\d:\d\d|\d:\d\d:\d\d [+-]\d{4}\b/i
const dateWords = /date|data|dt|emiss|emit|dia|tarikh/
const otherDays = /due|clos|open|prn|warran|promo|venc|valid|exp|until|ate|nasc|birth|protocolo|print|member|start|from|since|return|period/

/** A day as it may be read, by the order of its parts. */
interface FoundDay {
  readonly part: Part
  readonly dmy: string | undefined
  readonly mdy?: string | undefined
  readonly ymd?: string | undefined
  readonly isDotted?: boolean
}

/**
 * Finds every day on a receipt, with the evidence that it is the day of purchase. `order`: how the receipt's country writes days in digits; without
 * one, other days of the receipt may tell.
 */
export function findDates(all: readonly TextRow[], order?: DayOrder): DateCandidate[] {
  const rows = all.map((row) => (mailHead.test(row.text) ? { ...row, lines: [] } : row))
  const inDigits = [...findParts(rows, numeric), ...[...findParts(rows, lettered)].filter(({ match: [text] }) => /[a-z]/i.test(text))].map(
    (part): FoundDay => {
      const [, one = '', sign, two = '', year = ''] = part.match.map(asDigits)
      const isShort = year.length === 2
      return {
        part,
        dmy: toDay(year, two, one),
        mdy: toDay(year, one, two),
        ...(isShort && { ymd: toDay(one, two, year) }),
        isDotted: sign === '.',
      }
    },
  )
  const plain = findPlainDays(rows)
  const known = order ?? orderBy(inDigits, plain)
  const found = [...inDigits.flatMap((day) => inOrder(day, known)), ...plain.map((day) => ({ ...day, swapped: undefined }))]
  const [first] = found.toSorted((a, b) => a.part.row - b.part.row)
  const latest = found
    .map(({ value }) => value)
    .sort()
    .at(-1)
  return [...Map.groupBy(found, ({ value }) => value)].map(([value, same]) => ({
    value,
    swapped: same.every((one) => one.swapped !== undefined) ? same[0]?.swapped : undefined,
    parts: same.map(({ part }) => part).toSorted((a, b) => weakestOf(b) - weakestOf(a)),
    features: {
      ...mergeFeatures(same.map(({ part }) => featuresOf(part, rows))),
      times: Math.min(3, same.length) / 3,
      latest: value === latest ? 1 : 0,
      first: value === first?.value ? 1 : 0,
      only: found.length === same.length ? 1 : 0,
    },
  }))
}

interface OrderedDay {
  readonly part: Part
  readonly value: string
  readonly swapped: string | undefined
}

function inOrder({ part, dmy, mdy, ymd, isDotted }: FoundDay, order: DayOrder | undefined): OrderedDay[] {
  const ordered = (order === 'ymd' && ymd) || (order === 'mdy' ? (mdy ?? dmy) : (dmy ?? mdy)) || undefined
  if (ordered === undefined) return ymd === undefined ? [] : [{ part, value: ymd, swapped: undefined }]
  const isDecided = order !== undefined || isDotted === true || dmy === undefined || mdy === undefined || dmy === mdy
  return [{ part, value: ordered, swapped: isDecided ? undefined : mdy }]
}

/** The order that other days of the receipt show: a part above 12, or the same day with a named month. */
function orderBy(days: readonly FoundDay[], plain: readonly { readonly value: string }[]): DayOrder | undefined {
  const values = new Set(plain.map(({ value }) => value))
  const isOnly = (one?: string, other?: string) =>
    one !== undefined && one !== other && (other === undefined || (values.has(one) && !values.has(other)))
  const [isDayFirst, isMonthFirst] = [days.some(({ dmy, mdy }) => isOnly(dmy, mdy)), days.some(({ dmy, mdy }) => isOnly(mdy, dmy))]
  return isDayFirst === isMonthFirst ? undefined : isDayFirst ? 'dmy' : 'mdy'
}

/** Days that can be read in one way. */
function findPlainDays(rows: readonly TextRow[]): Array<{ readonly part: Part; readonly value: string }> {
  return [
    ...[...findParts(rows, broken)]
      .filter(({ match: [text] }) => !/^\d\d([/.,-])\d\d\1/.test(text))
      .map((part) => ({ part, value: toDay(part.match[3] ?? part.match[5], part.match[2] ?? part.match[4], part.match[1]) })),
    ...[...findParts(rows, yearFirst)].map((part) => ({ part, value: toDay(part.match[1], part.match[2], part.match[3]) })),
    ...[...findParts(rows, named)].map((part) => ({ part, value: toNamedDay(part.match[3], part.match[2], part.match[1]) })),
    ...[...findParts(rows, misspelt)].map((part) => ({ part, value: toMisspeltDay(part.match) })),
    ...[...findParts(rows, monthNamedFirst)].map((part) => ({ part, value: toNamedDay(part.match[3], part.match[1], part.match[2]) })),
  ].flatMap(({ part, value }) => (value === undefined ? [] : [{ part, value }]))
}

function featuresOf(part: Part, rows: readonly TextRow[]): Features {
  const before = squeeze(part.before)
  const above = squeeze(rows[part.row - 1]?.text ?? '')
  const row = rows[part.row]
  return {
    labelled: dateWords.test(before) ? 1 : 0,
    otherAbove: otherDays.test(above) || (before === '' && otherDays.test(squeeze(rows[part.row - 2]?.text ?? ''))) ? 1 : 0,
    ranged: /\d{4}\s*(?:-|to|until)\s*$/i.test(part.before) || /^\s*(?:-|to|until)\s*\d/i.test(part.after) ? 1 : 0,
    labelledAbove: before === '' && dateWords.test(above) ? 1 : 0,
    other: otherDays.test(before) ? 1 : 0,
    timed: time.test(part.after) || time.test(part.before) ? 1 : 0,
    timedBelow: time.test(rows[part.row + 1]?.text ?? '') ? 1 : 0,
    low: row?.y ?? 0,
    blurred: 1 - weakestOf(part),
    longYear: /20\d{2}/.test(part.line.text.slice(part.from, part.to)) ? 1 : 0,
    alone: part.before.trim() === '' ? 1 : 0,
    broken: /^\d{4,5}[/.-]/.test(part.line.text.slice(part.from, part.to)) ? 1 : 0,
    dotted: part.line.text.slice(part.from, part.to).includes(',') ? 1 : 0,
  }
}

const asDigits = (text: string | undefined) => (text ?? '').toLowerCase().replaceAll(/[oilsb]/g, (letter) => lettersOf[letter] ?? '')

function toNamedDay(year: string | undefined, month: string | undefined, day: string | undefined): string | undefined {
  const name = month?.replaceAll(' ', '')
  const number = name === undefined ? undefined : (monthNamed(name) ?? monthElsewhere(name))
  return number === undefined ? undefined : toDay(year, String(number), day)
}

/** Languages of receipts in addition to those of the program. */
const otherLanguages = ['fr', 'de', 'it', 'nl', 'sv', 'nb', 'da', 'pl', 'cs', 'hu', 'ro', 'tr', 'id']
let otherMonths: ReadonlyArray<ReadonlySet<string>> | undefined

/** The month that a word, or the beginning of one, names in other languages; undefined if it is none or several. */
function monthElsewhere(word: string): number | undefined {
  otherMonths ??= Array.from({ length: 12 }, (_, month) => {
    const date = new Date(Date.UTC(2023, month, 1))
    const nameIn = (tag: string, style: 'long' | 'short') =>
      new Intl.DateTimeFormat(tag, { day: 'numeric', month: style, timeZone: 'UTC' })
        .formatToParts(date)
        .find(({ type }) => type === 'month')?.value
    return new Set(otherLanguages.flatMap((tag) => [nameIn(tag, 'long'), nameIn(tag, 'short')]).map((name) => foldWord(name ?? '')))
  })
  const start = foldWord(word)
  const having = (isIn: (names: ReadonlySet<string>) => boolean) =>
    (otherMonths ?? []).flatMap((names, at) => (isIn(names) ? [at + 1] : []))
  const exact = having((names) => names.has(start))
  const found = exact.length > 0 ? exact : having((names) => [...names].some((name) => name.startsWith(start)))
  return start.length >= 3 && found.length === 1 ? found[0] : undefined
}

const shortMonths = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A day whose month is the only one that differs by one letter from the reading. */
function toMisspeltDay([, day, , word = '', year]: RegExpMatchArray): string | undefined {
  if (!/[a-z]/i.test(word) || monthNamed(word) !== undefined) return undefined
  const alike = shortMonths.filter((month) => [...month].filter((sign, at) => sign !== word[at]?.toLowerCase()).length === 1)
  return alike.length === 1 ? toDay(year, String(shortMonths.indexOf(alike[0] ?? '') + 1), day) : undefined
}

function toDay(year = '', month = '', day = ''): string | undefined {
  const full = year.length === 2 ? `20${year}` : year
  const text = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = Date.parse(text)
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
  return isDay && Number(full) >= 2005 && Number(full) <= 2079 ? text : undefined
}

/** The first time of day, `HH:MM`, preferably in one of these rows. */
export function findTime(rows: readonly TextRow[], near: readonly number[]): { readonly value: string; readonly part: Part } | undefined {
  const pattern = /(?<![\d:.,/])([01]?\d|2[0-3])\s?[:h]\s?([0-5]\d)(?:\s?[:m]?\s?([0-5]\d)s?)?\s?(am|pm)?(?![\d:])/gi
  const dated = /(?<=\d{2}[/.-]20\d{2})([01]?\d|2[0-3])\s?[:h]\s?([0-5]\d)(?:\s?:\s?([0-5]\d))?\s?(am|pm)?(?![\d:])/gi
  const found = [...findParts(rows, pattern), ...findParts(rows, dated)].map((part) => {
    const [, hours = '', minutes = '', , half = ''] = part.match
    const twelve = Number(hours) % 12
    const hour = half === '' ? Number(hours) : half.toLowerCase() === 'pm' ? twelve + 12 : twelve
    return { value: `${String(hour).padStart(2, '0')}:${minutes}`, part }
  })
  const distance = (part: Part) => Math.min(100, ...near.map((row) => Math.abs(row - part.row)))
  return found.toSorted((a, b) => distance(a.part) - distance(b.part))[0]
}
