import { localeOf, type Language } from '#shared/domain/locales'

const kilo = 1024

const formats = new Map<string, Intl.NumberFormat>()

/** Cached: creating one takes longer than everything else that a key redraws with it. */
function formatOf(language: Language, unit: 'kilobyte' | 'megabyte', decimals: 0 | 1): Intl.NumberFormat {
  const key = `${language} ${unit} ${decimals}`
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(localeOf(language).tag, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: decimals })
  formats.set(key, format)
  return format
}

/** A size as file managers write it: `812 kB`, `3.4 MB`. */
export function formatBytes(bytes: number, language: Language): string {
  const isLarge = bytes >= kilo * kilo
  const value = isLarge ? bytes / (kilo * kilo) : Math.max(1, bytes / kilo)
  return formatOf(language, isLarge ? 'megabyte' : 'kilobyte', value < 10 ? 1 : 0).format(value)
}
