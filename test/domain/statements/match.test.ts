import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MatchedClaim, MatchedLine } from '#shared/domain/statements/compare'
import { matchLines } from '#shared/domain/statements/match'
import { measureStatements, readPlanRows } from '../../bench/statements/statements'

const line = (part: Partial<MatchedLine>): MatchedLine => ({
  ...{
    id: 1,
    card_id: 1,
    holder_id: 1,
    day: 100,
    amount_minor: 5000,
    currency: 'BRL',
    text: 'CANTINA BELLA SAO PAULO',
    original_minor: null,
  },
  ...{ original_currency: null, rate: null, ...part },
})
const claim = (part: Partial<MatchedClaim>): MatchedClaim => ({
  ...{ kind: 'expense', id: 1, holder_id: 1, card_id: null, day: 99, amount_minor: 5000, currency: 'BRL', supplier: 'Cantina Bella Ltda' },
  ...{ description: null, ...part },
})

function match(lines: readonly MatchedLine[], claims: readonly MatchedClaim[], rate?: number) {
  const proposals = matchLines(lines, claims, { usualRate: () => rate })
  return proposals.map((found) => ({ ...found, lines: found.lines.map(({ id }) => id), claims: found.claims.map(({ id }) => id) }))
}

test('an amount with its supplier within days is sure', () => {
  expect(match([line({})], [claim({})])).toMatchObject([{ kind: 'pair', isSure: true, evidence: ['amount', 'supplier', 'day'] }])
})

test('nothing of another person, another card or another month is proposed', () => {
  for (const other of [{ holder_id: 2 }, { card_id: 2 }, { day: 40 }, { amount_minor: 4999, supplier: 'Posto' }])
    expect(match([line({})], [claim(other)])).toEqual([])
})

test('a tip, a rate and an amount abroad are named', () => {
  expect(match([line({ amount_minor: 5500 })], [claim({})])).toMatchObject([{ evidence: ['tip', 'supplier', 'day'] }])
  const dollars = claim({ currency: 'USD', amount_minor: 1000 })
  expect(match([line({ original_minor: 1000, original_currency: 'USD' })], [dollars])).toMatchObject([
    { isSure: true, evidence: ['original_amount', 'supplier', 'day'] },
  ])
  expect(match([line({ original_currency: 'USD', rate: 5.001 })], [dollars])).toMatchObject([{ evidence: ['rate', 'supplier', 'day'] }])
  expect(match([line({})], [dollars], 4.8)).toMatchObject([{ evidence: ['usual_rate', 'supplier', 'day'] }])
  expect(match([line({})], [dollars])).toEqual([])
})

test('two lines that fit one expense alike are not sure; equal twins are', () => {
  const twins = [line({}), line({ id: 2 })]
  expect(match(twins, [claim({}), claim({ id: 2 })]).filter(({ isSure }) => isSure)).toHaveLength(2)
  expect(match([line({ day: 99 }), line({ id: 2, day: 100 })], [claim({})]).some(({ isSure }) => isSure)).toBe(false)
})

test('parts add up on either side, and what was given back cancels what was charged', () => {
  const halves = [claim({ amount_minor: 3001 }), claim({ id: 2, amount_minor: 1999 })]
  expect(match([line({})], halves)).toMatchObject([{ kind: 'split', claims: [1, 2], isSure: true }])
  const two = [line({ amount_minor: 3001 }), line({ id: 2, amount_minor: 1999 })]
  expect(match(two, [claim({})])).toMatchObject([{ kind: 'several', lines: [1, 2] }])
  expect(match([line({}), line({ id: 2, day: 110, amount_minor: -5000 })], [])).toMatchObject([{ kind: 'cancelled', lines: [1, 2] }])
})

test('of lines laid over published rows nearly all that is sure is right, and most is found', () => {
  const rows = readPlanRows(join(import.meta.dirname, '../../../db/fixtures/senate-2022-sample.csv'))
  const { precision, recall } = measureStatements(rows, { seed: 11, count: 250 })
  expect(precision).toBeGreaterThanOrEqual(0.99)
  expect(recall).toBeGreaterThanOrEqual(0.85)
})
