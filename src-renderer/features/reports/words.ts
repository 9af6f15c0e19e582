import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Language, localeOf } from '#shared/domain/locales'
import type { ReportDimension } from '#shared/domain/reports/reports'
import { usePreferences } from '../../state/preferences'
import type { LabelWords } from './figures'

/** A month in the language's words: `Mar 2026`. */
export function monthText(month: string, language: Language): string {
  const format = new Intl.DateTimeFormat(localeOf(language).tag, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${month}-01T00:00:00Z`))
}

/** A month without its year: `Mar`. */
export function monthName(month: string, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language).tag, { month: 'short', timeZone: 'UTC' }).format(new Date(`${month}-01T00:00:00Z`))
}

/** Says a day with its year, which a printed rate needs: `1 Mar 2026`. */
export function useDayWithYear(): (day: string) => string {
  const language = usePreferences((state) => state.language)
  const format = new Intl.DateTimeFormat(localeOf(language).tag, { dateStyle: 'medium', timeZone: 'UTC' })
  return (day) => format.format(new Date(`${day}T00:00:00Z`))
}

/** An amount as axes show it: `1.2M`. */
export function shortMoney(amount: number, language: Language): string {
  return new Intl.NumberFormat(localeOf(language).tag, { notation: 'compact', maximumFractionDigits: 2 }).format(amount)
}

/** A time in its largest whole units: `3 d 4 h`. */
export function durationText(seconds: number, language: Language): string {
  const unit = (value: number, name: 'day' | 'hour' | 'minute') =>
    new Intl.NumberFormat(localeOf(language).tag, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value)
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3600), Math.floor((seconds % 3600) / 60)]
  if (days > 0) return hours > 0 && days < 10 ? `${unit(days, 'day')} ${unit(hours, 'hour')}` : unit(days, 'day')
  return hours > 0 ? `${unit(hours, 'hour')} ${unit(minutes, 'minute')}` : unit(minutes, 'minute')
}

/** What an axis counts times in, by the longest of them: how many seconds, and how it says so many. */
export function durationAxis(longest: number, language: Language): { seconds: number; format: (value: number) => string } {
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ] as const
  const [seconds, unit] = units.find(([length]) => longest >= 2 * length) ?? [1, 'second']
  const format = new Intl.NumberFormat(localeOf(language).tag, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 })
  return { seconds, format: (value) => format.format(value) }
}

/** The words of groups that have no name, by what is grouped by. */
export function useLabelWords(by: ReportDimension): LabelWords {
  const { t } = useTranslation('reports')
  const language = usePreferences((state) => state.language)
  return useMemo(
    () => ({
      none: t([`none.${by}`, 'none.other']),
      month: (month) => monthText(month, language),
      age: (first, last) => (last === null ? t('age.over', { first: first - 1 }) : t('age.between', { first, last })),
    }),
    [t, by, language],
  )
}
