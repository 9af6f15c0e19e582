import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { maximumMinor } from '#shared/domain/money'
import { currencyExponents, exponentOf } from '#shared/domain/currencies'
import {
  defaultDistanceRule,
  distanceAmountMinor,
  distanceKinds,
  type DistanceRule,
  formatRate,
  fromRate,
  parseRate,
} from '#shared/domain/distance'

const anyKind = fc.constantFrom(...distanceKinds)
const rule = (amount_minor: number, distance_kind: 'km' | 'mi', currency = 'BRL'): DistanceRule => ({
  amount_minor,
  amount_millionths: 0,
  currency,
  distance_kind,
})

describe('distanceAmountMinor', () => {
  it('multiplies and rounds half up, where floats would not', () => {
    expect(distanceAmountMinor(12.5, 'km', defaultDistanceRule)).toBe(1250)
    expect(distanceAmountMinor(1.005, 'km', defaultDistanceRule)).toBe(101)
    expect(distanceAmountMinor(0.004, 'km', defaultDistanceRule)).toBe(0)
    expect(distanceAmountMinor(0.005, 'km', defaultDistanceRule)).toBe(1)
    expect(distanceAmountMinor(0, 'km', defaultDistanceRule)).toBe(0)
    expect(distanceAmountMinor(1e-7, 'km', defaultDistanceRule)).toBe(0)
  })

  it('converts between km and mi', () => {
    expect(distanceAmountMinor(10, 'mi', rule(100, 'km'))).toBe(1609)
    expect(distanceAmountMinor(1.609344, 'km', rule(250, 'mi'))).toBe(250)
    expect(distanceAmountMinor(100, 'km', rule(100, 'mi'))).toBe(6214)
    expect(distanceAmountMinor(10, 'mi', rule(100, 'mi'))).toBe(1000)
  })

  it('is undefined for invalid distances and for sums too large for an amount', () => {
    for (const distance of [-1, Number.NaN, Infinity, 1e300]) {
      expect(distanceAmountMinor(distance, 'km', defaultDistanceRule)).toBeUndefined()
    }
    const max = maximumMinor('BRL')
    expect(distanceAmountMinor(1, 'km', rule(max, 'km'))).toBe(max)
    expect(distanceAmountMinor(1.1, 'km', rule(max, 'km'))).toBeUndefined()
  })

  it('is the nearest whole amount, and the upper one of two as near', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(1_000_000), anyKind, anyKind, (thousandths, amount_minor, kind, ruleKind) => {
        const amount = distanceAmountMinor(thousandths / 1000, kind, rule(amount_minor, ruleKind))
        const meters = { km: 1_000_000n, mi: 1_609_344n }
        const numerator = BigInt(thousandths) * BigInt(amount_minor) * meters[kind]
        const denominator = 1000n * meters[ruleKind]
        // amount - 1/2 <= exact < amount + 1/2, that is: -denominator <= 2 (exact - amount) < denominator, in whole numbers
        const twiceOver = 2n * (numerator - BigInt(amount ?? -1) * denominator)
        expect(-denominator <= twiceOver && twiceOver < denominator).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('never falls as the distance grows', () => {
    const distances = fc.double({ min: 0, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(distances, distances, anyKind, anyKind, (a, b, kind, ruleKind) => {
        const [near = 0, far = 0] = [a, b]
          .toSorted((x, y) => x - y)
          .map((distance) => distanceAmountMinor(distance, kind, rule(137, ruleKind)))
        expect(near).toBeLessThanOrEqual(far)
      }),
    )
  })
})

describe('a rate', () => {
  const currencies = fc.constantFrom(...Object.keys(currencyExponents))
  const millionths = fc.oneof(fc.integer({ min: 1, max: 10 ** 15 }), fc.integer({ min: 1, max: 3_000_000 }))
  /** Writes millionths as text digit by digit: an independent reference. */
  const toText = (count: number) => `${Math.floor(count / 1e6)}.${String(count % 1e6).padStart(6, '0')}`
  const read = (value: unknown, currency: string) => {
    const parsed = parseRate(value, currency)
    if (parsed.kind !== 'ok') throw new Error(parsed.kind)
    const { amount_minor, amount_millionths } = parsed
    return { amount_minor, amount_millionths, currency }
  }

  it('keeps up to six decimals in every currency, through JSON', () => {
    expect(read(0.655, 'USD')).toEqual({ amount_minor: 65, amount_millionths: 5000, currency: 'USD' })
    expect(read('0.000001', 'JPY')).toEqual({ amount_minor: 0, amount_millionths: 1, currency: 'JPY' })
    fc.assert(
      fc.property(millionths, currencies, (count, currency) => {
        const rate = read(toText(count), currency)
        expect(BigInt(rate.amount_minor) * 10n ** BigInt(6 - exponentOf(currency)) + BigInt(rate.amount_millionths)).toBe(BigInt(count))
        const sent: unknown = JSON.parse(JSON.stringify(fromRate(rate)))
        expect(read(sent, currency)).toEqual(rate)
      }),
      { numRuns: 2000 },
    )
  })

  it('is refused where it cannot be kept exactly', () => {
    for (const [value, kind] of [
      [0.6550001, 'too_precise'],
      ['1e-7', 'too_precise'],
      [0, 'not_positive'],
      [-0.5, 'not_positive'],
      ['1000000000.000001', 'too_large'],
      [1e300, 'too_large'],
      ['much', 'not_a_number'],
    ] as const)
      expect(parseRate(value, 'USD')).toEqual({ kind })
  })

  it('makes amounts that are rounded once, half up, from the exact product', () => {
    const mile = (amount: number, distance: number) => distanceAmountMinor(distance, 'mi', { ...read(amount, 'USD'), distance_kind: 'mi' })
    expect(mile(0.655, 10)).toBe(655)
    expect(mile(0.655, 1)).toBe(66)
    expect(mile(0.655, 3)).toBe(197)
    expect(mile(0.000001, 5000)).toBe(1)
    expect(mile(0.000001, 4999)).toBe(0)
    const meters = { km: 1_000_000n, mi: 1_609_344n }
    const any = fc.record({ count: millionths, currency: currencies, thousandths: fc.nat(1_000_000), kind: anyKind, ruleKind: anyKind })
    fc.assert(
      fc.property(any, ({ count, currency, thousandths, kind, ruleKind }) => {
        const rate = read(toText(count), currency)
        const amount = distanceAmountMinor(thousandths / 1000, kind, { ...rate, distance_kind: ruleKind })
        const numerator = BigInt(thousandths) * BigInt(count) * meters[kind] * 10n ** BigInt(exponentOf(currency))
        const denominator = 1000n * 1_000_000n * meters[ruleKind]
        const twiceOver = 2n * (numerator - BigInt(amount ?? 0) * denominator)
        const isNearest = -denominator <= twiceOver && twiceOver < denominator
        const isTooLarge = numerator > BigInt(maximumMinor(currency)) * denominator
        expect(amount === undefined ? isTooLarge : isNearest).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('is written with all its decimals, and at least those of its currency', () => {
    expect(formatRate({ amount: 0.655, currency: 'USD', locale: 'en' })).toBe('USD\u00a00.655')
    expect(formatRate({ amount: 1.5, currency: 'BRL', locale: 'pt-BR' })).toBe('BRL\u00a01,50')
  })
})
