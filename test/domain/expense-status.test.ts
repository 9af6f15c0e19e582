import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  canAnyoneMove,
  decideMove,
  type ExpenseStatus,
  expenseStatuses,
  movesBack,
  type MovableExpense,
  needsApprovedAmount,
  offeredStatuses,
  statusColors,
} from '#shared/domain/expense-status'
import { roles } from '#shared/domain/roles'

const anyStatus = fc.constantFrom(...expenseStatuses)
const anyTolerance = fc.constantFrom(true, false, null)
const anyRelation = fc.record({ role: fc.constantFrom(undefined, ...roles), is_receiver: fc.boolean() })
const anyExpense = fc.record({ status: anyStatus, ignore_noncompliant: anyTolerance })

const analyst = { role: 'analyst', is_receiver: false } as const
const manager = { role: 'manager', is_receiver: false } as const
const receiver = { role: 'member', is_receiver: true } as const

/** The supplement's table, written again as sets: from, then what analyst, manager and receiver are offered. */
const table: Array<[ExpenseStatus, string, string, string]> = [
  [
    'awaiting_analysis',
    'analyzing analyzed pending noncompliant',
    'analyzing analyzed pending noncompliant approved rejected liquidated',
    '',
  ],
  ['analyzing', 'awaiting_analysis analyzed pending noncompliant', 'awaiting_analysis analyzed pending noncompliant approved rejected', ''],
  ['analyzed', 'analyzing pending noncompliant', 'analyzing pending noncompliant approved rejected', ''],
  ['pending', 'analyzing noncompliant', 'analyzing noncompliant rejected', 'awaiting_analysis'],
  ['noncompliant', 'analyzing pending', 'analyzing pending rejected', ''],
  ['approved', '', 'analyzing rejected liquidated', ''],
  ['rejected', 'analyzing', 'analyzing', 'awaiting_analysis'],
  ['liquidated', '', '', ''],
]

describe('the statuses offered', () => {
  it.each(table)('from %s are those of the table', (status, forAnalyst, forManager, forReceiver) => {
    const expense = { status, ignore_noncompliant: null }
    const asSet = (words: string) => new Set(words.split(' ').filter(Boolean))
    expect(new Set(offeredStatuses(expense, analyst))).toEqual(asSet(forAnalyst))
    expect(new Set(offeredStatuses(expense, manager))).toEqual(asSet(forManager))
    expect(offeredStatuses(expense, { role: 'admin', is_receiver: false })).toEqual(offeredStatuses(expense, manager))
    expect(new Set(offeredStatuses(expense, receiver))).toEqual(asSet(forReceiver))
    expect(offeredStatuses(expense, { role: 'member', is_receiver: false })).toEqual([])
  })

  it('are both columns for a receiver who also reviews', () => {
    const expense = { status: 'rejected', ignore_noncompliant: null } as const
    expect(offeredStatuses(expense, { role: 'analyst', is_receiver: true })).toEqual(['awaiting_analysis', 'analyzing'])
  })

  it('include approved for a noncompliant expense only while the organization tolerates it', () => {
    const offers = (ignore_noncompliant: boolean | null) =>
      offeredStatuses({ status: 'noncompliant', ignore_noncompliant }, manager).includes('approved')
    expect([offers(true), offers(false), offers(null)]).toEqual([true, false, false])
  })

  it('never contain the own status, come in menu order, and are all allowed', () => {
    fc.assert(
      fc.property(anyExpense, anyRelation, (expense, relation) => {
        const offered = offeredStatuses(expense, relation)
        expect(offered).not.toContain(expense.status)
        expect(offered).toEqual(expenseStatuses.filter((status) => offered.includes(status)))
        for (const to of offered) expect(decideMove(expense, relation, to)).toEqual({ kind: 'allowed' })
      }),
    )
  })

  it('never lead out of the table, however many moves are made, and end at liquidated', () => {
    fc.assert(
      fc.property(anyExpense, fc.array(fc.tuple(anyRelation, fc.nat())), (start, choices) => {
        let expense = start
        for (const [relation, choice] of choices) {
          const offered = offeredStatuses(expense, relation)
          const next = offered[choice % Math.max(offered.length, 1)]
          if (next === undefined) continue
          expect(expenseStatuses).toContain(next)
          expect(expense.status).not.toBe('liquidated')
          expect(canAnyoneMove(expense.status, next, expense.ignore_noncompliant)).toBe(true)
          expense = { ...expense, status: next }
        }
      }),
    )
  })
})

describe('decideMove', () => {
  it('separates what another role could do from what no role could', () => {
    const analyzed = { status: 'analyzed', ignore_noncompliant: null } as const
    expect(decideMove(analyzed, analyst, 'approved')).toEqual({ kind: 'forbidden' })
    expect(decideMove(analyzed, receiver, 'pending')).toEqual({ kind: 'forbidden' })
    expect(decideMove(analyzed, manager, 'liquidated')).toEqual({ kind: 'not_offered' })
    expect(decideMove({ ...analyzed, status: 'pending' }, manager, 'awaiting_analysis')).toEqual({ kind: 'forbidden' })
    expect(decideMove({ ...analyzed, status: 'liquidated' }, manager, 'approved')).toEqual({ kind: 'not_offered' })
    expect(decideMove({ ...analyzed, status: 'noncompliant' }, manager, 'approved')).toEqual({ kind: 'not_offered' })
  })

  it('accepts noncompliant again from those who analyze, though it is not offered', () => {
    const expense = { status: 'noncompliant', ignore_noncompliant: false } as const
    expect(decideMove(expense, analyst, 'noncompliant')).toEqual({ kind: 'allowed' })
    expect(decideMove(expense, receiver, 'noncompliant')).toEqual({ kind: 'forbidden' })
    expect(offeredStatuses(expense, analyst)).not.toContain('noncompliant')
  })

  it('rejects every other move to the current status, for everyone', () => {
    for (const status of expenseStatuses.filter((candidate) => candidate !== 'noncompliant')) {
      expect(decideMove({ status, ignore_noncompliant: true }, { role: 'admin', is_receiver: true }, status)).toEqual({
        kind: 'not_offered',
      })
    }
  })
})

describe('movesBack', () => {
  const state = (status: ExpenseStatus, ignore_noncompliant: boolean | null = null) => ({ status, ignore_noncompliant })

  it('finds the ways that undo takes', () => {
    const statuses = (from: ExpenseStatus, to: ExpenseStatus) => movesBack(state(from), state(to))?.map(({ status }) => status)
    expect(statuses('approved', 'awaiting_analysis')).toEqual(['analyzing', 'awaiting_analysis'])
    expect(statuses('rejected', 'pending')).toEqual(['analyzing', 'pending'])
    expect(statuses('analyzing', 'awaiting_analysis')).toEqual(['awaiting_analysis'])
    expect(statuses('pending', 'pending')).toEqual([])
    for (const to of expenseStatuses) expect(statuses('liquidated', to)).toEqual(to === 'liquidated' ? [] : undefined)
  })

  it('restores what was recorded about policy', () => {
    expect(movesBack(state('noncompliant', false), state('pending'))).toEqual([state('pending')])
    expect(movesBack(state('noncompliant', true), state('approved', true))).toEqual([state('approved', true)])
    expect(movesBack(state('analyzing'), state('approved', true))).toEqual([state('noncompliant', true), state('approved', true)])
    expect(movesBack(state('noncompliant', true), state('noncompliant', false))).toEqual([state('noncompliant', false)])
  })

  it('is a shortest path of moves accepted from a manager, wherever moves have led', () => {
    const walked = fc
      .array(fc.record({ to: anyStatus, isTolerated: fc.boolean() }), { maxLength: 8 })
      .map((moves) =>
        moves.reduce<MovableExpense>(
          (now, { to, isTolerated }) => (decideMove(now, manager, to).kind === 'allowed' ? moved(now, to, isTolerated) : now),
          state('awaiting_analysis'),
        ),
      )
    fc.assert(
      fc.property(walked, walked, (from, to) => {
        const way = movesBack(from, to)
        if (from.status === 'liquidated' && to.status !== 'liquidated') expect(way).toBeUndefined()
        if (from.status !== 'liquidated') expect(way?.length).toBe(distanceByLayers(from, to))
        let now = from
        for (const next of way ?? []) {
          expect(decideMove(now, manager, next.status)).toEqual({ kind: 'allowed' })
          now = moved(now, next.status, next.ignore_noncompliant === true)
          expect(now).toEqual(next)
        }
        if (way) expect(now).toEqual(to)
      }),
    )
  })
})

/** What an accepted move records: the decision about policy goes with its status, and a new review has none. */
function moved({ ignore_noncompliant }: MovableExpense, to: ExpenseStatus, isTolerated: boolean): MovableExpense {
  if (to === 'noncompliant') return { status: to, ignore_noncompliant: isTolerated }
  const isReview = ['awaiting_analysis', 'analyzing', 'analyzed', 'pending'].includes(to)
  return { status: to, ignore_noncompliant: isReview ? null : ignore_noncompliant }
}

/** How many manager's moves apart two states are, found by widening the set of reachable ones. */
function distanceByLayers(from: MovableExpense, to: MovableExpense): number {
  let reached = new Set([JSON.stringify(moved(from, from.status, from.ignore_noncompliant === true))])
  for (let steps = 0; steps <= 20; steps += 1) {
    if (reached.has(JSON.stringify(to))) return steps
    const next = [...reached].flatMap((text) => {
      const now: MovableExpense = JSON.parse(text)
      const able = expenseStatuses.filter((status) => decideMove(now, manager, status).kind === 'allowed')
      return able.flatMap((status) => [true, false].map((isTolerated) => JSON.stringify(moved(now, status, isTolerated))))
    })
    reached = new Set([...reached, ...next])
  }
  return Number.POSITIVE_INFINITY
}

describe('statuses', () => {
  it('have the colours of the contract with white text', () => {
    expect(Object.keys(statusColors)).toEqual([...expenseStatuses])
    expect(statusColors.approved).toEqual({ background_color: '#27AE60', text_color: '#FFFFFF' })
  })

  it('need an approved amount to be approved, or liquidated without having been approved', () => {
    expect(needsApprovedAmount('analyzed', 'approved')).toBe(true)
    expect(needsApprovedAmount('awaiting_analysis', 'liquidated')).toBe(true)
    expect(needsApprovedAmount('approved', 'liquidated')).toBe(false)
    expect(needsApprovedAmount('awaiting_analysis', 'rejected')).toBe(false)
  })
})
