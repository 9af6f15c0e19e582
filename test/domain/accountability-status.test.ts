import { describe, expect, it } from 'vitest'

import {
  accountabilityStatuses,
  canChangeExpenses,
  decideAccountabilityMove,
  isInReview,
  offeredAccountabilityStatuses,
} from '#shared/domain/accountability-status'

const nobody = { role: 'member', is_receiver: false, is_holder: false } as const
const creator = { ...nobody, is_holder: true } as const
const analyst = { ...nobody, role: 'analyst' } as const
const manager = { ...nobody, role: 'manager' } as const

describe('an accountability', () => {
  it('offers each relation the moves of the supplement', () => {
    const offers = (relation: Parameters<typeof offeredAccountabilityStatuses>[1]) =>
      accountabilityStatuses.map((status) => offeredAccountabilityStatuses({ status }, relation))
    expect(offers(nobody)).toEqual([[], [], [], [], []])
    expect(offers(creator)).toEqual([['ready_to_review'], [], [], [], []])
    expect(offers({ ...nobody, is_receiver: true })).toEqual(offers(creator))
    expect(offers(analyst)).toEqual([['ready_to_review'], ['opened', 'analyzed'], ['ready_to_review'], [], []])
    expect(offers(manager)).toEqual([
      ['ready_to_review'],
      ['opened', 'analyzed'],
      ['ready_to_review', 'approved'],
      ['analyzed', 'finished'],
      [],
    ])
  })

  it('separates what another role could do from what no role could', () => {
    expect(decideAccountabilityMove({ status: 'analyzed' }, manager, 'approved')).toEqual({ kind: 'allowed' })
    expect(decideAccountabilityMove({ status: 'analyzed' }, analyst, 'approved')).toEqual({ kind: 'forbidden' })
    expect(decideAccountabilityMove({ status: 'opened' }, manager, 'finished')).toEqual({ kind: 'not_offered' })
    for (const status of accountabilityStatuses) {
      expect(decideAccountabilityMove({ status }, manager, status)).toEqual({ kind: 'not_offered' })
    }
  })

  it('takes expenses from anyone who sees it while opened, from analysts in review, and then from no one', () => {
    const changeable = (relation: Parameters<typeof canChangeExpenses>[1]) =>
      accountabilityStatuses.filter((status) => canChangeExpenses({ status }, relation))
    expect(changeable(nobody)).toEqual([])
    expect(changeable(creator)).toEqual(['opened'])
    expect(changeable(analyst)).toEqual(['opened', 'ready_to_review'])
    expect(changeable(manager)).toEqual(['opened', 'ready_to_review'])
  })

  it('is in review from ready_to_review until finished', () => {
    expect(accountabilityStatuses.filter(isInReview)).toEqual(['ready_to_review', 'analyzed', 'approved'])
  })
})
