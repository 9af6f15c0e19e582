import { expect, test } from 'vitest'
import {
  formatPaidAddress,
  parsePaidFilter,
  parsePaidSort,
  toApiFilter,
  toApiSort,
} from '../../../src-renderer/features/reimbursements/paid-filter'

const address = 'from=2026-01-01&to=2026-01-31&least=10.50&most=200&receiver=3&tag=Travel%2C+abroad&sort=-amount'

test('filters and order go into the address and come back', () => {
  const params = new URLSearchParams(address)
  const text = formatPaidAddress(parsePaidFilter(params), parsePaidSort(params))
  expect(text).toBe(`?${address}`)
  expect(formatPaidAddress(parsePaidFilter(new URLSearchParams()), parsePaidSort(new URLSearchParams()))).toBe('')
})

test('unknown parameters of an address are ignored', () => {
  const params = new URLSearchParams('receiver=me&from=yesterday&least=1e9&sort=secret&id=3')
  expect(formatPaidAddress(parsePaidFilter(params), parsePaidSort(params))).toBe('')
})

test('both ends of a span belong to it, and the organization is always named', () => {
  const filter = parsePaidFilter(new URLSearchParams(address))
  expect(toApiFilter(filter, 1)).toEqual({
    payer_id_eq: 1,
    receiver_id_eq: 3,
    search_tags: 'Travel, abroad',
    date_gteq: '2026-01-01',
    date_lt: '2026-02-01',
    amount_gteq: '10.50',
    amount_lteq: '200',
  })
  expect(toApiFilter(parsePaidFilter(new URLSearchParams()), 1)).toEqual({ payer_id_eq: 1 })
  expect(toApiSort({ columnId: 'amount', direction: 'ascending' })).toBe('amount,id')
})
