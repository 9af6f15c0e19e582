import { intlLocaleOf, type Language } from '../../ui/format'

const units = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

/** How long ago an instant was, in its largest whole unit: "3 days", "5 min"; under a minute it is "0 min". */
export function formatAge(instant: string, { language, now }: { language: Language; now: Date }): string {
  const age = Math.max(0, now.getTime() - new Date(instant).getTime())
  const { unit, ms } = units.find((one) => age >= one.ms) ?? units[2]
  const format = new Intl.NumberFormat(intlLocaleOf(language), { style: 'unit', unit, unitDisplay: 'short' })
  return format.format(Math.floor(age / ms))
}
