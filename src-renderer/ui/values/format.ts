import { exponentOf, isCurrency } from '#shared/domain/currencies'
import { formatRate as formatRateIn } from '#shared/domain/distance'
import { localeOf, type Language } from '#shared/domain/locales'

/** How to write a currency with an amount. */
export type CurrencyDisplay = 'code' | 'symbol'

/** An amount in major units, as the API has it. */
export type Money = { amount: number; currency: string }

const numberFormats = new Map<string, Intl.NumberFormat>()

function moneyFormat(currency: string, options: { language: Language; display: CurrencyDisplay }): Intl.NumberFormat {
  const key = `${options.language} ${options.display} ${currency}`
  const known = numberFormats.get(key)
  if (known) return known
  const digits = isCurrency(currency) ? exponentOf(currency) : 2
  const format = new Intl.NumberFormat(localeOf(options.language).tag, {
    style: 'currency',
    currency,
    currencyDisplay: options.display,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  numberFormats.set(key, format)
  return format
}

/** An amount with its currency: the locale's separators, exactly the currency's decimals, and for debts a minus sign between the two. */
export function formatMoney(money: Money, options: { language: Language; display: CurrencyDisplay }): string {
  const parts = moneyFormat(money.currency, options).formatToParts(Math.abs(money.amount))
  const first = money.amount < 0 ? parts.findIndex(({ type }) => type === 'integer') : -1
  return parts.map(({ value }, at) => (at === first ? `−${value}` : value)).join('')
}

/** The currencies of the sample, the one most used first: Spanish writes many others than its own with their code either way. */
const sampleCurrencies = ['BRL', 'USD']

/** The same amount in each way to write a currency, in a currency for which they differ. */
export function displaySamples(language: Language): { display: CurrencyDisplay; label: string }[] {
  const samples = sampleCurrencies.map((currency) =>
    (['code', 'symbol'] as const).map((display) => ({ display, label: formatMoney({ amount: 12.5, currency }, { language, display }) })),
  )
  return samples.find((ways) => new Set(ways.map(({ label }) => label)).size === ways.length) ?? []
}

/** The rate per unit of distance, with all its decimals and the currency's code. */
export function formatRate(rate: Money, language: Language): string {
  return formatRateIn({ ...rate, locale: localeOf(language).tag })
}

/** An amount without its currency, if that is shown already. */
export function formatBareAmount(money: Money, options: { language: Language; display: CurrencyDisplay }): string {
  const parts = moneyFormat(money.currency, options).formatToParts(money.amount)
  return parts
    .filter(({ type }) => type !== 'currency')
    .map(({ value }) => value)
    .join('')
    .trim()
}

/**
 * A decimal that amounts are compared with: with the currency where there is one, else with the two decimals of most, and more
 * only where it has them.
 */
export function formatComparedAmount(
  decimal: string,
  { currency, language }: { currency: string | undefined; language: Language },
): string {
  const amount = Number(decimal)
  if (currency !== undefined) return formatMoney({ amount, currency }, { language, display: 'code' })
  return new Intl.NumberFormat(localeOf(language).tag, { minimumFractionDigits: 2, maximumFractionDigits: 4 }).format(amount)
}

/** A whole number with the locale's separators: counts of rows. */
export function formatCount(count: number, language: Language): string {
  const key = `count ${language}`
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(localeOf(language).tag)
  numberFormats.set(key, format)
  return format.format(count)
}

/** Where and when an instant is shown. `timezone` is an IANA name. */
export type InstantOptions = { language: Language; timezone: string; now: Date }

const dateFormats = new Map<string, Intl.DateTimeFormat>()

function dateFormat(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, options])
  const known = dateFormats.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(localeOf(language).tag, options)
  dateFormats.set(key, format)
  return format
}

/** Whether the instant is a plain date: a date without a time is stored as midnight UTC (supplement 1, "Dates"). */
export function isPlainDate(instant: string): boolean {
  return instant.endsWith('T00:00:00Z')
}

/** Three letters name every month in both languages, and keep a column of days aligned: no `Sept`, no `set.`. */
const monthLetters = 3

function dayIn(timeZone: string, instant: string, options: InstantOptions): string {
  const date = new Date(instant)
  const year = dateFormat('en', { year: 'numeric', timeZone }).format(date)
  const isThisYear = year === dateFormat('en', { year: 'numeric', timeZone: options.timezone }).format(options.now)
  const parts = dateFormat(options.language, { day: '2-digit', month: 'short', year: 'numeric', timeZone }).formatToParts(date)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((known) => known.type === type)?.value ?? ''
  const day = `${part('day')} ${part('month').slice(0, monthLetters)}`
  return isThisYear ? day : `${day} ${part('year')}`
}

/** A day as a list shows it: `03 Jan`, with the year when it is not this one. A plain date keeps its day in every timezone. */
export function formatDay(instant: string, options: InstantOptions): string {
  return dayIn(isPlainDate(instant) ? 'UTC' : options.timezone, instant, options)
}

/** An instant in full, for the hover: weekday, date, time and zone; a plain date without a time. */
export function formatAbsolute(instant: string, options: InstantOptions): string {
  const date = new Date(instant)
  return isPlainDate(instant)
    ? dateFormat(options.language, { dateStyle: 'full', timeZone: 'UTC' }).format(date)
    : dateFormat(options.language, { dateStyle: 'full', timeStyle: 'long', timeZone: options.timezone }).format(date)
}

/** The time of a day: `14:05`. */
export function formatTime(instant: string, { language, timezone }: InstantOptions): string {
  return dateFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: timezone }).format(new Date(instant))
}

/** A moment of an activity or a comment: `03 Jan, 14:05`. */
export function formatMoment(instant: string, options: InstantOptions): string {
  return `${dayIn(options.timezone, instant, options)}, ${formatTime(instant, options)}`
}

/** An instant to the second, to distinguish two of them: `03 Jan, 14:05:07`. */
export function formatExactMoment(instant: string, options: InstantOptions): string {
  const { language, timezone } = options
  const time = dateFormat(language, { timeStyle: 'medium', hourCycle: 'h23', timeZone: timezone }).format(new Date(instant))
  return `${dayIn(timezone, instant, options)}, ${time}`
}

/** A month such as `2026-10` in words. */
export function formatMonth(month: string, language: Language): string {
  const format = new Intl.DateTimeFormat(localeOf(language).tag, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${month}-01T00:00:00Z`))
}
