import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardFlagImagePath, cardFlags, detectCardFlag } from '#shared/domain/card-flags'
import { fitsCheckDigit, lastDigitsOf, maskCardNumber, maskNumbersIn, parseCardNumber } from '#shared/domain/card-numbers'
import { cardNumberOf } from '#test/support/cards'

const number = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 18 }).map((digits) => cardNumberOf(digits.join('')))

describe('a card number', () => {
  test('is read with or without spaces and dashes', () => {
    for (const text of ['4111111111111111', '4111 1111 1111 1111', ' 4111-1111-1111-1111 '])
      expect(parseCardNumber(text)).toBe('4111111111111111')
  })

  test('is 12 to 19 digits, and nothing else', () => {
    for (const text of ['', ' ', '4111.1111.1111.1111', '42', '1'.repeat(20), '４１１１１１１１１１１１１１１１', 'x4111111111111111'])
      expect(parseCardNumber(text), text).toBeUndefined()
    for (const [length, isOne] of [
      [11, false],
      [12, true],
      [19, true],
      [20, false],
    ] as const)
      expect(parseCardNumber('7'.repeat(length)) !== undefined, String(length)).toBe(isOne)
  })

  test('of which one digit is wrong is still read, and fails the check digit, always', () => {
    fc.assert(
      fc.property(number, fc.nat(), fc.integer({ min: 1, max: 9 }), (digits, at, by) => {
        const place = at % digits.length
        const wrong = `${digits.slice(0, place)}${(Number(digits[place]) + by) % 10}${digits.slice(place + 1)}`
        expect(parseCardNumber(wrong)).toBe(wrong)
        expect([fitsCheckDigit(digits), fitsCheckDigit(wrong)]).toEqual([true, false])
      }),
    )
  })

  test('shows its length and its last four digits, and no other', () => {
    fc.assert(
      fc.property(number, (digits) => {
        const masked = maskCardNumber({ length: digits.length, last4: lastDigitsOf(digits) })
        expect(masked).toMatch(/^\*+\d{4}$/)
        expect([masked.length, masked.slice(-4)]).toEqual([digits.length, digits.slice(-4)])
      }),
    )
  })

  test('is masked in a text that is stored and shown, with a fitting check digit or without', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{12,24}$/), (digits) => {
        expect(maskNumbersIn(`Ana's ${digits}, blue`)).toBe(`Ana's ${'*'.repeat(digits.length - 4)}${digits.slice(-4)}, blue`)
      }),
    )
    expect(maskNumbersIn('Visa 4111 1111-1111 1112.')).toBe('Visa **** ****-**** 1112.')
    expect(maskNumbersIn('4111111111111111 and 5555555555554444')).toBe('************1111 and ************4444')
    for (const text of ['Travel card 2026', 'Final 1111', '', '12345678901']) expect(maskNumbersIn(text)).toBe(text)
  })
})

describe('the flag of a card', () => {
  test.each([
    ['4111111111111111', 'Visa'],
    ['4000056655665556', 'Visa'],
    ['5555555555554444', 'Mastercard'],
    ['2223003122003222', 'Mastercard'],
    ['378282246310005', 'American Express'],
    ['341111111111111', 'American Express'],
    ['30569309025904', 'Diners Club'],
    ['36227206271667', 'Diners Club'],
    ['6011111111111117', 'Discover'],
    ['6555900000604105', 'Discover'],
    ['3530111333300000', 'JCB'],
    ['6362970000457013', 'Elo'],
    ['4011780000000000', 'Elo'],
    ['5066991111111118', 'Elo'],
    ['6550000000000000', 'Elo'],
    ['6062826786276634', 'Hipercard'],
    ['3841001111222233334', 'Hipercard'],
    ['5018000000000009', 'Other'],
    ['1234567890128', 'Other'],
  ])('%s is of %s', (digits, flag) => {
    expect(detectCardFlag(digits)).toBe(flag)
  })

  test('is decided by the first six digits alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100_000, max: 999_999 }), fc.stringMatching(/^\d{6,13}$/), (prefix, rest) => {
        expect(detectCardFlag(`${prefix}${rest}`)).toBe(detectCardFlag(`${prefix}000000`))
      }),
    )
  })

  test('has a separate picture; an unknown name has that of the others', () => {
    expect(cardFlagImagePath('American Express')).toBe('/assets/card-flags/american-express.svg')
    expect(cardFlagImagePath('toString')).toBe(cardFlagImagePath('Other'))
    expect(new Set(Object.keys(cardFlags).map(cardFlagImagePath)).size).toBe(9)
  })
})
