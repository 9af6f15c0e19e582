import { expect, test } from 'vitest'
import { roles } from '#shared/domain/roles'
import { accountabilityStatuses, decideAccountabilityMove } from '#shared/domain/accountability-status'
import { canReturn, stepsOf } from '../../../src-renderer/features/accountabilities/moves'
import { neighbourOf } from '../../../src-renderer/features/accountabilities/neighbour'

const columns = [[1, 2, 3], [], [4], [5, 6], []].map((ids) => ({ cards: ids.map((id) => ({ id })) }))
const from = (id: number, key: string) => neighbourOf(columns, id, key)?.id

test('arrows go up and down in a column, and sideways past empty columns to the same height or the last card', () => {
  expect(from(1, 'ArrowDown')).toBe(2)
  expect(from(1, 'ArrowUp')).toBeUndefined()
  expect(from(3, 'ArrowDown')).toBeUndefined()
  expect(from(3, 'ArrowRight')).toBe(4)
  expect(from(4, 'ArrowRight')).toBe(5)
  expect(from(6, 'ArrowLeft')).toBe(4)
  expect(from(5, 'ArrowRight')).toBeUndefined()
  expect(from(99, 'ArrowDown')).toBeUndefined()
  expect(from(1, 'Enter')).toBeUndefined()
})

test('the steps are those that are offered, the nearest state on either side', () => {
  for (const role of [undefined, ...roles])
    for (const status of accountabilityStatuses) {
      const relation = { role, is_receiver: false, is_holder: false }
      const { forward, back } = stepsOf({ status }, relation)
      const place = accountabilityStatuses.indexOf(status)
      for (const [step, to] of [
        [forward, accountabilityStatuses[place + 1]],
        [back, accountabilityStatuses[place - 1]],
      ]) {
        const isAllowed = to !== undefined && decideAccountabilityMove({ status }, relation, to).kind === 'allowed'
        expect(step).toBe(isAllowed ? to : undefined)
      }
    }
})

test('a move is taken back only by those who may make the move back', () => {
  const move = { from: 'opened', to: 'ready_to_review' } as const
  expect(canReturn(move, { role: 'analyst', is_receiver: false, is_holder: false })).toBe(true)
  expect(canReturn(move, { role: 'member', is_receiver: true, is_holder: true })).toBe(false)
  expect(canReturn({ from: 'approved', to: 'finished' }, { role: 'admin', is_receiver: true, is_holder: true })).toBe(false)
})
