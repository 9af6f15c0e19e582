import { expect, test } from 'vitest'
import fc from 'fast-check'
import { changedCard, readExpiration } from '../../../src-renderer/features/cards/card-form'
import { groupDigits } from '../../../src-renderer/features/cards/number-typing'

test('a card number is typed in groups of four, whatever is between its digits', () => {
  expect(groupDigits('4539-0011 2233x99')).toBe('4539 0011 2233 99')
  expect(groupDigits('453900112233998912345')).toBe('4539 0011 2233 9989 123')
  expect(groupDigits('')).toBe('')
})

test('grouping loses no digit and is done once', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\d -]{0,19}$/), (text) => {
      const grouped = groupDigits(text)
      expect(grouped.replaceAll(' ', '')).toBe(text.replace(/\D/g, ''))
      expect(groupDigits(grouped)).toBe(grouped)
    }),
  )
})

test.each([
  ['08/29', '08/29'],
  ['8/29', '08/29'],
  ['829', '08/29'],
  ['0829', '08/29'],
  ['1229', '12/29'],
  ['08/2029', '08/29'],
  [' 12 / 31 ', '12/31'],
  ['13/29', '13/29'],
  ['soon', 'soon'],
])('the expiration date %s is sent as %s', (text, sent) => {
  expect(readExpiration(text)).toBe(sent)
})

test('only what changed is sent', () => {
  const before = { name: 'Travel', expiration: '08/29', organization_id: 1, user_id: 2 }
  expect(changedCard(before, { ...before, expiration: '8/2029' })).toEqual({})
  expect(changedCard(before, { ...before, name: 'Meals', organization_id: 3 })).toEqual({ name: 'Meals', organization_id: 3 })
})
