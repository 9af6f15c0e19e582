import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { currencyChoices, currencyExponents, currencyListDate, exponentOf, isCurrency, isWithdrawn } from '#shared/domain/currencies'
import { decimalToScaled, formatAmount, fromMinor, maximumMinor, parseAmount, sumByCurrency, toScaled } from '#shared/domain/money'

const currencies = fc.constantFrom(...Object.keys(currencyExponents))
/** Amounts of every size, not only the large ones that a plain range draws. */
const amounts = currencies.chain((currency) => {
  const max = maximumMinor(currency)
  const amount_minor = fc.oneof(
    fc.integer({ min: -max, max }),
    fc.integer({ min: -10_000, max: 10_000 }),
    fc.integer({ min: max - 1000, max }),
  )
  return amount_minor.map((amount) => ({ amount_minor: amount, currency }))
})

/** Writes minor units as text digit by digit: an independent reference. */
function toText(amount_minor: number, currency: string): string {
  const exponent = exponentOf(currency)
  const digits = String(Math.abs(amount_minor)).padStart(exponent + 1, '0')
  const cut = digits.length - exponent
  return `${amount_minor < 0 ? '-' : ''}${digits.slice(0, cut)}${exponent === 0 ? '' : `.${digits.slice(cut)}`}`
}

describe('currencies', () => {
  it('are the 178 active codes of the list of this date, and three withdrawn ones, with the exponents of ISO 4217', () => {
    expect(currencyListDate).toBe('2026-01-01')
    expect(currencyChoices()).toHaveLength(178)
    expect(Object.keys(currencyExponents).filter(isWithdrawn)).toEqual(['ANG', 'BGN', 'CUC'])
    expect(Object.keys(currencyExponents)).toHaveLength(181)
    expect(Object.keys(currencyExponents).every((code) => /^[A-Z]{3}$/.test(code))).toBe(true)
    expect(currencyExponents).toMatchObject({ BRL: 2, USD: 2, JPY: 0, KWD: 3, CLF: 4, UYW: 4, XAU: 0, XCG: 2, XAD: 2, BGN: 2 })
  })

  it('are offered while they are active, and where a record has one already', () => {
    expect(currencyChoices()).toEqual(expect.arrayContaining(['BRL', 'XAD', 'XCG']))
    expect(currencyChoices()).not.toContain('BGN')
    expect(currencyChoices('BGN')).toContain('BGN')
    expect(currencyChoices('BGN')).not.toContain('ANG')
  })

  it('differ from other words, even from names every object has', () => {
    expect(isCurrency('BRL')).toBe(true)
    for (const word of ['brl', 'XYZ', '', 'constructor', '__proto__']) expect(isCurrency(word)).toBe(false)
    expect(() => exponentOf('XYZ')).toThrow(RangeError)
  })
})

describe('parseAmount', () => {
  it('reads numbers and decimal texts exactly', () => {
    expect(parseAmount(12.5, 'BRL')).toEqual({ kind: 'ok', amount_minor: 1250 })
    expect(parseAmount('12.50', 'BRL')).toEqual({ kind: 'ok', amount_minor: 1250 })
    expect(parseAmount(1.1, 'BRL')).toEqual({ kind: 'ok', amount_minor: 110 })
    expect(parseAmount(1.005, 'KWD')).toEqual({ kind: 'ok', amount_minor: 1005 })
    expect(parseAmount(8.2, 'KWD')).toEqual({ kind: 'ok', amount_minor: 8200 })
    expect(parseAmount('-0.01', 'USD')).toEqual({ kind: 'ok', amount_minor: -1 })
    expect(parseAmount(-0, 'USD')).toEqual({ kind: 'ok', amount_minor: 0 })
    expect(parseAmount('0.000', 'JPY')).toEqual({ kind: 'ok', amount_minor: 0 })
    expect(parseAmount('100.00', 'JPY')).toEqual({ kind: 'ok', amount_minor: 100 })
    expect(parseAmount('1.5e3', 'JPY')).toEqual({ kind: 'ok', amount_minor: 1500 })
    expect(parseAmount('250e-2', 'BRL')).toEqual({ kind: 'ok', amount_minor: 250 })
  })

  it('refuses more decimals than the currency has instead of rounding', () => {
    const tooPrecise = [
      [1.005, 'BRL'],
      [0.1 + 0.2, 'BRL'],
      [1e-7, 'CLF'],
      [0.5, 'JPY'],
      ['0.00010001', 'CLF'],
      ['1e-99', 'BRL'],
    ] as const
    for (const [value, currency] of tooPrecise) expect(parseAmount(value, currency)).toEqual({ kind: 'too_precise' })
  })

  it('refuses amounts that would not stay exact', () => {
    for (const value of [1e21, 1e300, '1e99999999', '9'.repeat(90)]) expect(parseAmount(value, 'BRL')).toEqual({ kind: 'too_large' })
    for (const currency of Object.keys(currencyExponents)) {
      const max = maximumMinor(currency)
      expect(parseAmount(toText(max, currency), currency)).toEqual({ kind: 'ok', amount_minor: max })
      expect(parseAmount(toText(max + 1, currency), currency)).toEqual({ kind: 'too_large' })
      expect(parseAmount(toText(-max - 1, currency), currency)).toEqual({ kind: 'too_large' })
    }
  })

  it('takes nothing else for a number', () => {
    const others = [NaN, Infinity, '', ' ', '1,50', '1.', '.5', '+1', '0x10', '1 000', '١', 'abc', null, undefined, true, [1], {}]
    for (const value of others) expect(parseAmount(value, 'BRL')).toEqual({ kind: 'not_a_number' })
    expect(parseAmount('0'.repeat(1_000_000), 'BRL')).toEqual({ kind: 'not_a_number' })
  })

  it('reads back what fromMinor writes, for every currency, through JSON', () => {
    fc.assert(
      fc.property(amounts, ({ amount_minor, currency }) => {
        const sent: unknown = JSON.parse(JSON.stringify(fromMinor(amount_minor, currency)))
        expect(parseAmount(sent, currency)).toEqual({ kind: 'ok', amount_minor })
      }),
      { numRuns: 2000 },
    )
  })

  it('agrees with the amount written digit by digit', () => {
    fc.assert(
      fc.property(amounts, ({ amount_minor, currency }) => {
        expect(parseAmount(toText(amount_minor, currency), currency)).toEqual({ kind: 'ok', amount_minor })
        expect(fromMinor(amount_minor, currency)).toBe(Number(toText(amount_minor, currency)) + 0)
      }),
    )
  })
})

describe('toScaled and decimalToScaled', () => {
  it('put amounts of every currency and filter values on one scale', () => {
    expect(toScaled(1250, 'BRL')).toBe(125_000)
    expect(toScaled(12, 'JPY')).toBe(120_000)
    expect(decimalToScaled('12.5')).toBe(125_000)
    expect(decimalToScaled(-0.0001)).toBe(-1)
    fc.assert(
      fc.property(amounts, ({ amount_minor, currency }) => {
        expect(toScaled(amount_minor, currency)).toBe(decimalToScaled(toText(amount_minor, currency)))
        expect(Number.isSafeInteger(toScaled(amount_minor, currency))).toBe(true)
      }),
    )
  })

  it('leave out what no amount can be', () => {
    for (const value of ['abc', '', '0.00001', NaN, 1e20]) expect(decimalToScaled(value)).toBeUndefined()
  })
})

describe('formatAmount', () => {
  it('writes the code, the decimals of ISO 4217 and the separators of the locale', () => {
    expect(formatAmount({ amount_minor: 123_456, currency: 'BRL', locale: 'pt' })).toBe('BRL\u00a01.234,56')
    expect(formatAmount({ amount_minor: 123_456, currency: 'BRL', locale: 'en' })).toBe('BRL\u00a01,234.56')
    expect(formatAmount({ amount_minor: 5, currency: 'KWD', locale: 'en' })).toBe('KWD\u00a00.005')
    expect(formatAmount({ amount_minor: 5, currency: 'JPY', locale: 'en' })).toBe('JPY\u00a05')
    expect(formatAmount({ amount_minor: 500, currency: 'IDR', locale: 'en' })).toBe('IDR\u00a05.00')
  })
})

describe('sumByCurrency', () => {
  it('never gains or loses a unit, nor mixes currencies', () => {
    fc.assert(
      fc.property(fc.array(amounts), (items) => {
        const expected = new Map<string, bigint>()
        for (const item of items) expected.set(item.currency, (expected.get(item.currency) ?? 0n) + BigInt(item.amount_minor))
        fc.pre([...expected.values()].every((sum) => Number.isSafeInteger(Number(sum))))
        const sums = sumByCurrency(items)
        expect(sums.map((sum) => sum.currency)).toEqual([...expected.keys()].toSorted())
        expect(sums.every((sum) => BigInt(sum.amount_minor) === expected.get(sum.currency))).toBe(true)
        expect(sums.reduce((total, sum) => total + sum.count, 0)).toBe(items.length)
        expect(sumByCurrency(items.toReversed())).toEqual(sums)
      }),
    )
  })

  it('is exact where the way to the sum is not a safe integer, and refuses a sum that is not', () => {
    const large = { amount_minor: Number.MAX_SAFE_INTEGER, currency: 'JPY' }
    const one = { amount_minor: 1, currency: 'JPY' }
    const back = { amount_minor: -2, currency: 'JPY' }
    expect(sumByCurrency([large, one, one, back])).toEqual([{ currency: 'JPY', amount_minor: Number.MAX_SAFE_INTEGER, count: 4 }])
    expect(() => sumByCurrency([large, one])).toThrow(RangeError)
  })
})
