import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decimalReadings,
  parseAmountInput,
  parseFilterAmount,
  parseRateInput,
  usualDecimals,
  writeAmount,
  writeDecimal,
} from '#shared/domain/amount-text'
import { currencyExponents, exponentOf } from '#shared/domain/currencies'
import { type Language, languages } from '#shared/domain/locales'
import { fromMinor, maximumMinor, parseAmount } from '#shared/domain/money'
import { formatBareAmount, formatMoney } from '../../src-renderer/ui/values/format'

const read = (text: string, language: Language = 'en', currency = 'BRL') => {
  const parsed = parseAmountInput(text, { currency, language })
  return parsed.kind === 'ok' ? parsed.amount_minor : parsed.kind
}

test.each([
  ['12,50', 1250],
  ['12.50', 1250],
  ['12', 1200],
  ['12.5', 1250],
  ['0,05', 5],
  ['.5', 50],
  [',5', 50],
  ['12.', 1200],
  ['1.234,56', 123456],
  ['1,234.56', 123456],
  ['1 234,56', 123456],
  ["1'234.56", 123456],
  ['1.234.567', 123456700],
  ['R$ 12,50', 1250],
  ['12.50 brl', 1250],
  ['BRL12.50', 1250],
])('both languages read %s alike', (text, amount_minor) => {
  expect(read(text, 'en')).toBe(amount_minor)
  expect(read(text, 'pt')).toBe(amount_minor)
})

test('three digits after the only separator are thousands, unless the currency has three decimals', () => {
  for (const language of languages) {
    expect(read('1.000', language)).toBe(100000)
    expect(read('1,000', language)).toBe(100000)
    expect(read('0.500', language)).toBe(50)
    expect(read('1.2345', language)).toBe('too_precise')
  }
  expect(read('1.234', 'en', 'KWD')).toBe(1234)
  expect(read('1,234', 'en', 'KWD')).toBe(1234000)
  expect(read('1,234', 'pt', 'KWD')).toBe(1234)
  expect(read('1.234', 'pt', 'KWD')).toBe(1234000)
})

test('an amount in another currency is not read as one of this', () => {
  expect(read('USD 10')).toBe('not_a_number')
})

test('a currency without decimals has only thousands', () => {
  expect(read('1.234', 'en', 'JPY')).toBe(1234)
  expect(read('12,5', 'pt', 'JPY')).toBe('too_precise')
})

test.each([
  ['', 'empty'],
  ['  ', 'empty'],
  ['abc', 'not_a_number'],
  ['R$', 'not_a_number'],
  ['1.23.4', 'not_a_number'],
  ['1,2345,678', 'not_a_number'],
  ['1.234,5.6', 'not_a_number'],
  ['0', 'not_positive'],
  ['-3', 'not_positive'],
  ['12,34,5', 'not_a_number'],
  ['99999999999999999', 'too_large'],
])('%j is %s', (text, kind) => {
  expect(read(text)).toBe(kind)
})

const anyLanguage = fc.constantFrom(...languages)
const anyAmount = fc
  .constantFrom(...Object.keys(currencyExponents))
  .chain((currency) => fc.record({ currency: fc.constant(currency), amount_minor: fc.integer({ min: 1, max: maximumMinor(currency) }) }))

test('an amount as a screen writes it is read back, in whichever language it is read', () => {
  fc.assert(
    fc.property(anyAmount, anyLanguage, anyLanguage, ({ amount_minor, currency }, written, readAs) => {
      // Three decimals are told from thousands by the language alone.
      fc.pre(exponentOf(currency) !== 3 || written === readAs)
      const amount = fromMinor(amount_minor, currency)
      expect(read(formatMoney({ amount, currency }, { language: written, display: 'code' }), readAs, currency)).toBe(amount_minor)
      expect(read(formatBareAmount({ amount, currency }, { language: written, display: 'code' }), readAs, currency)).toBe(amount_minor)
      expect(read(writeAmount(amount, { currency, language: written }), readAs, currency)).toBe(amount_minor)
    }),
  )
})

test('a filter and a form understand the same of every text', () => {
  const text = fc.stringMatching(/^(R\$ |BRL ?)?[0-9]{1,4}([.,' ][0-9]{1,4}){0,3}$/)
  fc.assert(
    fc.property(text, anyLanguage, fc.constantFrom('BRL', 'JPY', 'KWD', 'CLF'), (typed, language, currency) => {
      const asAmount = parseAmountInput(typed, { currency, language })
      fc.pre(asAmount.kind === 'ok')
      const decimal = parseFilterAmount(typed, { currency, language })
      expect(decimal === undefined ? decimal : parseAmount(decimal, currency)).toMatchObject({ amount_minor: asAmount.amount_minor })
    }),
  )
})

test('without a currency a filter reads amounts as those of two decimals', () => {
  expect(parseFilterAmount('1.000', { currency: undefined, language: 'en' })).toBe('1000')
  expect(parseFilterAmount('BRL 1,000', { currency: undefined, language: 'pt' })).toBe('1000')
  expect(parseFilterAmount('12,5', { currency: undefined, language: 'en' })).toBe('12.5')
  expect(parseFilterAmount('0', { currency: undefined, language: 'en' })).toBe('0')
  expect(parseFilterAmount('-3', { currency: undefined, language: 'en' })).toBeUndefined()
  expect(parseFilterAmount('1.23.4', { currency: undefined, language: 'en' })).toBeUndefined()
})

test('a decimal that is written to be edited is read as the same number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), anyLanguage, (tenThousandths, language) => {
      const decimal = String(tenThousandths / 10_000)
      fc.pre(/^\d+(\.\d+)?$/.test(decimal))
      const again = parseFilterAmount(writeDecimal(decimal, { language, decimals: usualDecimals }), { currency: undefined, language })
      expect(Number(again)).toBe(Number(decimal))
    }),
  )
})

test('a search finds what a form reads, and every other meaning', () => {
  expect(decimalReadings('1.000').toSorted()).toEqual(['1.000', '1000'])
  expect(decimalReadings('1.234,56')).toEqual(['1234.56'])
  fc.assert(
    fc.property(anyAmount, anyLanguage, ({ amount_minor, currency }, language) => {
      const text = writeAmount(fromMinor(amount_minor, currency), { currency, language })
      expect(decimalReadings(text).map(Number)).toContain(fromMinor(amount_minor, currency))
    }),
  )
})

test('a rate may have more decimals than its currency, so its language decides', () => {
  expect(parseRateInput('1.234', { currency: 'BRL', language: 'en' })).toEqual({ kind: 'ok', amount: 1.234 })
  expect(parseRateInput('1,234', { currency: 'BRL', language: 'pt' })).toEqual({ kind: 'ok', amount: 1.234 })
  expect(parseRateInput('0.0625', { currency: 'BRL', language: 'en' })).toEqual({ kind: 'ok', amount: 0.0625 })
})
