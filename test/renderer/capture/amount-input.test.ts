import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromMinor } from '#shared/domain/money'
import { parseAmountInput } from '../../../src-renderer/state/amount-input'

const read = (text: string, language: 'en' | 'pt' = 'en', currency = 'BRL') => {
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

test('the language decides where a separator could begin thousands or decimals', () => {
  expect(read('1,234', 'en')).toBe(123400)
  expect(read('1.234', 'pt')).toBe(123400)
  expect(read('1.234', 'en')).toBe('too_precise')
  expect(read('1,234', 'pt')).toBe('too_precise')
  expect(read('1.234', 'en', 'KWD')).toBe(1234)
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

test('what the locale writes is read back as the same amount', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 900_000_000_000 }),
      fc.constantFrom('BRL', 'JPY', 'KWD', 'USD'),
      fc.constantFrom('en', 'pt'),
      (amount_minor, currency, language) => {
        const amount = fromMinor(amount_minor, currency)
        const locale = language === 'pt' ? 'pt-BR' : 'en-GB'
        const text = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount)
        expect(read(text.replace(/^US|^JP/, ''), language, currency)).toBe(amount_minor)
      },
    ),
  )
})
