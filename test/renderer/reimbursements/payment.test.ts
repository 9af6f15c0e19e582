import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromMinor } from '#shared/domain/money'
import { findDue, nextDue } from '../../../src-renderer/features/reimbursements/dues'
import { compareWithSum, sumApproved } from '../../../src-renderer/features/reimbursements/payment-sum'

function expense(approved_amount: number, approved_amount_currency = 'BRL') {
  return { id: 1, amount: 999, currency: 'USD', approved_amount, approved_amount_currency }
}

describe('the total of a payment', () => {
  test('adds up what was approved, not what was claimed, each currency apart', () => {
    expect(sumApproved([expense(0.1), expense(0.2), expense(500, 'JPY')])).toEqual([
      { currency: 'BRL', count: 2, amount_minor: 30, amount: 0.3 },
      { currency: 'JPY', count: 1, amount_minor: 500, amount: 500 },
    ])
  })

  test('is exact however many cents are added', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 1 }), (minors) => {
        const [sum] = sumApproved(minors.map((minor) => expense(fromMinor(minor, 'BRL'))))
        expect(sum?.amount_minor).toBe(minors.reduce((total, minor) => total + minor, 0))
      }),
    )
  })

  test('says by how much another amount differs', () => {
    expect(compareWithSum(100, 100)).toEqual({ kind: 'same' })
    expect(compareWithSum(99, 100)).toEqual({ kind: 'less', amount_minor: 1 })
    expect(compareWithSum(150, 100)).toEqual({ kind: 'more', amount_minor: 50 })
  })
})

describe('whom to pay', () => {
  const due = (receiver_id: number, currency = 'BRL') => ({ payer_id: 1, receiver_id, currency, name: 'x', amount: 1, count: 1 })
  const dues = [due(3), due(3, 'USD'), due(5)]

  test('the address names a person and a currency', () => {
    expect(findDue(dues, new URLSearchParams('to=3&currency=USD'))).toBe(dues[1])
    expect(findDue(dues, new URLSearchParams('to=9&currency=USD'))).toBeUndefined()
    expect(findDue(dues, new URLSearchParams())).toBeUndefined()
  })

  test('after a payment the following person is selected, at the end the previous one, and no one after the last', () => {
    expect(nextDue(dues, due(3))).toBe(dues[1])
    expect(nextDue(dues, due(5))).toBe(dues[1])
    expect(nextDue([due(5)], due(5))).toBeUndefined()
  })
})
