import { expect, test } from 'vitest'
import { untouchedColumns } from '../../src-renderer/state/preferences'
import {
  gridTemplate,
  moveColumn,
  nextRow,
  orderColumns,
  placeColumns,
  resizeColumn,
  toggleColumn,
} from '../../src-renderer/ui/grid-layout'

const date = { id: 'date', width: 72 }
const text = { id: 'text', width: 160, fill: true, fixed: true }
const amount = { id: 'amount', width: 120, minWidth: 100 }
const columns = [date, text, amount]

function ids(placed: readonly { id: string }[]): string[] {
  return placed.map((column) => column.id)
}

test('columns lie as remembered and a new one keeps its place after its left neighbour', () => {
  expect(ids(orderColumns(columns, untouchedColumns))).toEqual(['date', 'text', 'amount'])
  expect(ids(orderColumns(columns, { ...untouchedColumns, order: ['amount', 'gone', 'date'] }))).toEqual([
    'amount',
    'date',
    'text',
  ])
})

test('a hidden column is not drawn unless it is fixed', () => {
  const layout = toggleColumn(toggleColumn(untouchedColumns, 'date'), 'text')
  expect(ids(placeColumns(columns, layout))).toEqual(['text', 'amount'])
  expect(ids(placeColumns(columns, toggleColumn(layout, 'date')))).toEqual(['date', 'text', 'amount'])
})

test('a column is never narrower than it may be', () => {
  const layout = resizeColumn(untouchedColumns, amount, 20)
  expect(placeColumns(columns, layout).at(-1)?.width).toBe(100)
})

test('a column moves and stops at the ends', () => {
  const moved = moveColumn(untouchedColumns, columns, { id: 'amount', by: -1 })
  expect(ids(orderColumns(columns, moved))).toEqual(['date', 'amount', 'text'])
  expect(ids(orderColumns(columns, moveColumn(moved, columns, { id: 'date', by: -1 })))).toEqual(['date', 'amount', 'text'])
})

test('a filling column takes what is left', () => {
  expect(gridTemplate(columns)).toBe('72px minmax(160px, 1fr) 120px')
})

test.each([
  ['ArrowDown', 5, 6],
  ['ArrowDown', 99, 99],
  ['ArrowDown', -1, 0],
  ['ArrowUp', 0, 0],
  ['Home', 50, 0],
  ['End', 50, 99],
  ['PageDown', 5, 25],
  ['PageUp', 5, 0],
  ['a', 5, undefined],
])('%s from row %i leads to %s', (key, from, to) => {
  expect(nextRow(key, from, { rowCount: 100, pageRows: 20 })).toBe(to)
})

test('no key leads anywhere in an empty grid', () => {
  expect(nextRow('ArrowDown', -1, { rowCount: 0, pageRows: 20 })).toBeUndefined()
})
