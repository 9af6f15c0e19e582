import { describe, expect, test } from 'vitest'
import { type FollowingLine, type StatementEnd, followClosing, meetBefore } from '#shared/domain/statements/closings'

const line = (day: number, amount_minor: number, isKnown = false): FollowingLine => ({
  ...{ day: `2026-03-${String(day).padStart(2, '0')}`, amount_minor, isKnown },
})
/** A statement of 11 to 20 March after one whose balance of 10 March was 100. */
const end = (amount_minor: number, other: Partial<StatementEnd> = {}): StatementEnd => ({
  ...{ day: '2026-03-20', amount_minor, currency: 'EUR', opening: null, from: '2026-03-11', to: '2026-03-20' },
  earlier: [
    { day: '2026-02-10', amount_minor: 7, currency: 'EUR' },
    { day: '2026-03-10', amount_minor: 100, currency: 'EUR' },
  ],
  ...other,
})

describe('lines after the closing balance of the statement before', () => {
  test.each([
    ['lead to that of this one', end(150), [line(11, 30), line(20, 20)], { opening: 100, closing: 150, difference: 0 }],
    ['lead to it with the sign of an account', end(50), [line(11, 30), line(20, 20)], { opening: -100, closing: -50, difference: 0 }],
    ['count from the day after it where they are known', end(150), [line(9, 5, true), line(11, 50)], { opening: 100, difference: 0 }],
    ['count before it where they were posted later', end(155), [line(10, 5), line(11, 50)], { difference: 0 }],
    ['lack an amount', end(150), [line(11, 30)], { opening: 100, closing: 150, difference: 20 }],
    ['prove it although days are not said to be whole', end(130, { to: '2026-03-11' }), [line(11, 30)], { difference: 0 }],
  ])('%s', (_, statement, lines, expected) => {
    expect(followClosing(statement, lines)).toMatchObject(expected)
  })

  test.each([
    ['it is the first', end(150, { earlier: [] }), [line(11, 30)]],
    ['it begins later', end(150, { from: '2026-03-12' }), [line(12, 30)]],
    ['it ends before its balance', end(150, { to: '2026-03-19' }), [line(11, 30)]],
    ['its balance is known', end(150, { earlier: [...end(1).earlier, end(150)] }), [line(11, 30)]],
    ['lines come after its balance', end(130), [line(11, 30), line(21, 1)]],
    ['the balance is in another currency', end(130, { currency: 'USD' }), [line(11, 30)]],
  ])('prove nothing where %s', (_, statement, lines) => {
    expect(followClosing(statement, lines)).toBeUndefined()
  })
})

describe('a statement with an opening balance', () => {
  const begins = (opening: number, from = '2026-03-11') => end(150, { opening, from })
  test.each([
    ['agrees with the one before where it begins as that ended', begins(100), [line(11, 50)]],
    ['agrees where the sign of the balance is the other one', begins(-100), [line(11, 50)]],
    ['agrees where lines of common days lead to that end', begins(70, '2026-03-08'), [line(8, 30, true), line(11, 50)]],
    ['agrees where a line of common days was posted later', begins(100, '2026-03-10'), [line(10, 5), line(11, 45)]],
    ['says nothing if it is the first', end(150, { opening: 1, earlier: [] }), [line(11, 50)]],
    ['says nothing without an opening balance', end(150), [line(11, 50)]],
  ])('%s', (_, statement, lines) => {
    expect(meetBefore(statement, lines)).toBeUndefined()
  })

  test.each([
    ['lacks what is between the two', begins(120), [line(11, 30)], { kind: 'gap', by: 20 }],
    ['differs in common days', begins(70, '2026-03-08'), [line(8, 20, true), line(11, 60)], { kind: 'overlap', by: -10 }],
  ])('%s', (_, statement, lines, expected) => {
    expect(meetBefore(statement, lines)).toMatchObject({ ...expected, before: { day: '2026-03-10', amount_minor: 100 } })
  })
})
