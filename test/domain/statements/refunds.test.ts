import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tellingOf } from '#shared/domain/statements/alike'
import type { MatchedClaim, MatchedLine } from '#shared/domain/statements/compare'
import { findRefunds } from '#shared/domain/statements/refunds'

const line = (part: Partial<MatchedLine>): MatchedLine => ({
  ...{ id: 1, card_id: 1, holder_id: 1, day: 100, amount_minor: 8000, currency: 'BRL', text: 'HOTEL ATLAS' },
  ...{ original_minor: null, original_currency: null, rate: null },
  ...part,
})
const claim = (part: Partial<MatchedClaim>): MatchedClaim => ({
  ...{
    kind: 'expense',
    id: 1,
    holder_id: 1,
    card_id: 1,
    day: 100,
    amount_minor: 8000,
    currency: 'BRL',
    supplier: 'Hotel',
    description: null,
  },
  ...part,
})
const back = (part: Partial<MatchedLine>) => line({ id: 9, day: 110, amount_minor: -8000, ...part })
const charged = { line: line({}), claim: claim({}) }

test('money back belongs to the expense of its charge: all of it for sure, a part of it perhaps', () => {
  expect(findRefunds([back({})], [charged], tellingOf)).toMatchObject([{ claim: { id: 1 }, isSure: true }])
  expect(findRefunds([back({ amount_minor: -3000 })], [charged], tellingOf)).toMatchObject([{ claim: { id: 1 }, isSure: false }])
  const rest = { line: back({ id: 3, amount_minor: -5000 }), claim: claim({}) }
  expect(findRefunds([back({ amount_minor: -3000 })], [charged, rest], tellingOf)).toMatchObject([{ isSure: true }])
})

test('of a line with several expenses money comes back for the one of its amount', () => {
  const parts = [claim({ id: 1, amount_minor: 5000 }), claim({ id: 2, amount_minor: 3000 })].map((one) => ({ line: line({}), claim: one }))
  expect(findRefunds([back({ amount_minor: -3000 })], parts, tellingOf)).toMatchObject([{ claim: { id: 2 }, isSure: true }])
})

test('money back of another card, currency or supplier, before the charge or long after it, belongs to no expense', () => {
  for (const other of [{ card_id: 2 }, { currency: 'USD' }, { text: 'POSTO IPIRANGA' }, { day: 99 }, { day: 230 }, { amount_minor: -8001 }])
    expect(findRefunds([back(other)], [charged], tellingOf)).toEqual([])
})

test('what comes back for an expense is never more than it was, and each line belongs to one expense at most', () => {
  const amounts = fc.integer({ min: 1, max: 30 })
  const charges = fc.array(fc.record({ amount: amounts, day: fc.integer({ min: 90, max: 110 }), before: fc.nat(30) }), { maxLength: 6 })
  const returns = fc.array(fc.record({ amount: amounts, day: fc.integer({ min: 85, max: 240 }) }), { maxLength: 8 })
  fc.assert(
    fc.property(charges, returns, (spent, returned) => {
      const known = spent.flatMap(({ amount, day, before }, id) => {
        const own = { line: line({ id, day, amount_minor: amount }), claim: claim({ id, amount_minor: amount }) }
        const earlier = Math.min(before, amount)
        return [own, ...(earlier > 0 ? [{ ...own, line: line({ id: 100 + id, day, amount_minor: -earlier }) }] : [])]
      })
      const lines = returned.map(({ amount, day }, id) => back({ id: 200 + id, day, amount_minor: -amount }))
      const found = findRefunds(lines, known, tellingOf)
      expect(new Set(found.map((one) => one.line.id)).size).toBe(found.length)
      for (const [id, { amount }] of spent.entries()) {
        const all = [...known.filter((one) => one.line.amount_minor < 0), ...found].filter((one) => one.claim.id === id)
        expect(all.reduce((sum, one) => sum - one.line.amount_minor, 0)).toBeLessThanOrEqual(amount)
      }
    }),
  )
})
