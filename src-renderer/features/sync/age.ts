import { localeOf, type Language } from '#shared/domain/locales'

const units = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

/** How long ago an instant was, in its largest whole unit: "3 days", "5 mins"; undefined under a minute. */
export function formatAge(instant: string, { language, now }: { language: Language; now: Date }): string | undefined {
  const age = Math.max(0, now.getTime() - new Date(instant).getTime())
  const found = units.find((one) => age >= one.ms)
  if (!found) return undefined
  const { unit, ms } = found
  const format = new Intl.NumberFormat(localeOf(language).tag, { style: 'unit', unit, unitDisplay: 'short' })
  return format.format(Math.floor(age / ms))
}
