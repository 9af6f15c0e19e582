import { expect, test } from 'vitest'
import { cardValidityOf } from '#shared/domain/card-validity'

test('a card is good to the end of its month', () => {
  const leap = { month: 2, year: 2028 }
  expect(cardValidityOf(leap, '2028-02-29')).toBe('expires_soon')
  expect(cardValidityOf(leap, '2028-03-01')).toBe('expired')
  expect(cardValidityOf({ month: 12, year: 2026 }, '2027-01-01')).toBe('expired')
})

test('it soon is no more within 60 days', () => {
  const december = { month: 12, year: 2026 }
  expect(cardValidityOf(december, '2026-11-01')).toBe('expires_soon')
  expect(cardValidityOf(december, '2026-10-31')).toBe('valid')
})
