import { intlLocaleOf, type Language } from './format'

/** The size of a file: whole kilobytes, from a megabyte on with one decimal. */
export function formatBytes(bytes: number, language: Language): string {
  const isLarge = bytes >= 1_000_000
  const format = new Intl.NumberFormat(intlLocaleOf(language), {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    unitDisplay: 'short',
    maximumFractionDigits: isLarge ? 1 : 0,
  })
  return format.format(isLarge ? bytes / 1_000_000 : Math.max(1, Math.round(bytes / 1000)))
}
