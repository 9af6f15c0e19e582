import { expect, test } from 'vitest'
import { bookedAgainstOf } from '#shared/domain/exports/bookings'

const plain = { liquidate_through_advancement: 0, reimbursement_id: null, corporative_card_id: null } as const

test.each([
  ['claimant', {}],
  ['card', { corporative_card_id: 1 }],
  ['advance', { liquidate_through_advancement: 1, corporative_card_id: 1 }],
  ['claimant', { corporative_card_id: 1, reimbursement_id: 1 }],
] as const)('it is booked against the %s where it has %j', (against, fields) => {
  expect(bookedAgainstOf({ ...plain, ...fields })).toBe(against)
})
