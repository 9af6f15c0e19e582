import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { maximumMinor } from '#shared/domain/money'
import { defaultDistanceRule, distanceAmountMinor, distanceKinds, type DistanceRule } from '#shared/domain/distance'

const anyKind = fc.constantFrom(...distanceKinds)
const rule = (amount_minor: number, distance_kind: 'km' | 'mi', currency = 'BRL'): DistanceRule => ({
  amount_minor,
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

  it('is undefined for what is no distance and for what no amount can hold', () => {
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
