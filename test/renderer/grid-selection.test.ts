import { expect, test } from 'vitest'
import { extentOf, select } from '../../src-renderer/ui/grid/grid-selection'

test('rows are selected one by one, in a row, or all', () => {
  const keys = [4, 5, 6]
  const one = select(keys, new Set<number>(), { kind: 'toggle', index: 1 })
  expect([...one]).toEqual([5])
  expect(extentOf(keys, one)).toBe('some')
  expect([...select(keys, one, { kind: 'toggle', index: 1 })]).toEqual([])
  expect([...select(keys, new Set<number>(), { kind: 'range', from: 2, to: 1 })]).toEqual([5, 6])
  expect([...select([4, undefined, 6], one, { kind: 'matching' })]).toEqual([4, 6])
  const all = select(keys, one, { kind: 'toggle_all' })
  expect(extentOf(keys, all)).toBe('all')
  expect([...select(keys, all, { kind: 'toggle_all' })]).toEqual([])
})
