import { expect, test } from 'vitest'
import { type Language, languages } from '#shared/domain/locales'
import {
  displaySamples,
  formatAbsolute,
  formatCount,
  formatDay,
  formatMoment,
  formatMoney,
  type InstantOptions,
} from '../../src-renderer/ui/values/format'

/** Intl separates code and number with a no-break space. */
function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ').replaceAll('\u202f', ' ')
}

function money(amount: number, currency: string, language: Language): string {
  return plain(formatMoney({ amount, currency }, { language, display: 'code' }))
}

const inSaoPaulo: InstantOptions = { language: 'en', timezone: 'America/Sao_Paulo', now: new Date('2026-11-21T12:00:00Z') }

test('an amount has the separators of the language', () => {
  expect(money(61204.1, 'BRL', 'en')).toBe('BRL 61,204.10')
  expect(money(61204.1, 'BRL', 'pt')).toBe('BRL 61.204,10')
})

test('an amount has exactly the decimals of its currency', () => {
  expect(money(1200, 'JPY', 'en')).toBe('JPY 1,200')
  expect(money(1.5, 'KWD', 'en')).toBe('KWD 1.500')
  expect(money(1.5, 'CLF', 'en')).toBe('CLF 1.5000')
})

test('a debt has a minus sign after the currency', () => {
  expect(money(-210, 'BRL', 'en')).toBe('BRL −210.00')
  expect(money(-1210, 'BRL', 'pt')).toBe('BRL −1.210,00')
  expect(plain(formatMoney({ amount: -310, currency: 'USD' }, { language: 'en', display: 'symbol' }))).toBe('US$−310.00')
  expect(money(-0, 'BRL', 'en')).toBe('BRL 0.00')
})

test('a currency can be named by its symbol', () => {
  expect(plain(formatMoney({ amount: 310, currency: 'USD' }, { language: 'en', display: 'symbol' }))).toBe('US$310.00')
})

test('a count has the separators of the language', () => {
  expect(formatCount(3214, 'en')).toBe('3,214')
  expect(formatCount(3214, 'pt')).toBe('3.214')
})

test('a day is that of the user, with the year only when it is not this one', () => {
  expect(formatDay('2026-01-04T01:30:00Z', inSaoPaulo)).toBe('03 Jan')
  expect(formatDay('2025-01-04T12:00:00Z', inSaoPaulo)).toBe('04 Jan 2025')
  expect(formatDay('2026-01-04T12:00:00Z', { ...inSaoPaulo, language: 'pt' })).toBe('04 jan')
})

test('a plain date keeps its day west of Greenwich', () => {
  expect(formatDay('2026-01-04T00:00:00Z', inSaoPaulo)).toBe('04 Jan')
  expect(formatAbsolute('2026-01-04T00:00:00Z', inSaoPaulo)).toMatch(/^Sunday,? 4 January 2026$/)
})

test('a moment has the time of the user', () => {
  expect(formatMoment('2026-01-04T01:30:00Z', inSaoPaulo)).toBe('03 Jan, 22:30')
  expect(formatMoment('2026-01-04T00:00:00Z', inSaoPaulo)).toBe('03 Jan, 21:00')
})

test('the two ways to write a currency that are offered look different in every language', () => {
  for (const language of languages) {
    const samples = displaySamples(language)
    expect(samples.map(({ display }) => display)).toEqual(['code', 'symbol'])
    expect(new Set(samples.map(({ label }) => label)).size).toBe(2)
  }
})
