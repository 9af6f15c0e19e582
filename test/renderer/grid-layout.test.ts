import fc from 'fast-check'
import { expect, test } from 'vitest'
import { untouchedColumns } from '../../src-renderer/state/preferences'
import {
  fitColumns,
  gridTemplate,
  moveColumn,
  nextRow,
  orderColumns,
  placeColumns,
  resizeColumn,
  sizeColumns,
  toggleColumn,
  totalWidth,
} from '../../src-renderer/ui/grid/grid-layout'

const date = { id: 'date', width: 72 }
const text = { id: 'text', width: 160, fill: true, fixed: true }
const amount = { id: 'amount', width: 120, minWidth: 100 }
const columns = [date, text, amount]

function ids(placed: readonly { id: string }[]): string[] {
  return placed.map((column) => column.id)
}

test('columns keep their saved order, and a new one comes after its left neighbor', () => {
  expect(ids(orderColumns(columns, untouchedColumns))).toEqual(['date', 'text', 'amount'])
  expect(ids(orderColumns(columns, { ...untouchedColumns, order: ['amount', 'gone', 'date'] }))).toEqual(['amount', 'date', 'text'])
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

test('a column that was made wider can be made narrower again', () => {
  const layout = resizeColumn(untouchedColumns, amount, 300)
  const placed = fitColumns(placeColumns(columns, layout), layout, 400)
  expect(placed.map(({ width }) => width)).toEqual([72, 160, 300])
  expect(placed.map((column) => resizeColumn(layout, column, 110).widths[column.id])).toEqual([110, 110, 110])
})

test('a column moves and stops at the ends', () => {
  const moved = moveColumn(untouchedColumns, columns, { id: 'amount', by: -1 })
  expect(ids(orderColumns(columns, moved))).toEqual(['date', 'amount', 'text'])
  expect(ids(orderColumns(columns, moveColumn(moved, columns, { id: 'date', by: -1 })))).toEqual(['date', 'amount', 'text'])
})

test('a filling column takes what is left', () => {
  expect(gridTemplate(columns)).toBe('72px minmax(160px, 1fr) 120px')
  // Once its content is known, what fills is as wide as that at most, and no wider than the eye can follow.
  const drawn = (content: number) => gridTemplate(sizeColumns(columns, new Map([['text', content]])))
  expect(drawn(300)).toBe('72px minmax(160px, 480px) 120px')
  expect(drawn(900)).toBe('72px minmax(160px, 900px) 120px')
})

test('where there is not room for all, some columns go before the others become narrower', () => {
  const marks = { id: 'marks', width: 60, yields: 2 }
  const tags = { id: 'tags', width: 100, minWidth: 80, yields: 1 }
  const all = [text, tags, amount, marks]
  expect(fitColumns(all, untouchedColumns, 440)).toEqual(all)
  expect(fitColumns([text, tags, marks], untouchedColumns, 300).map(({ width }) => width)).toEqual([160, 80, 60])
  expect(ids(fitColumns(all, untouchedColumns, 419))).toEqual(['text', 'amount', 'marks'])
  expect(fitColumns(all, untouchedColumns, 280)).toEqual([text, amount])
  expect(fitColumns(all, untouchedColumns, 270).map(({ width }) => width)).toEqual([160, 110])
  expect(fitColumns(all, untouchedColumns, 100).map(({ width }) => width)).toEqual([160, 100])
})

test('a column that collapses is whole or as narrow as it can be, never cut in between', () => {
  const status = { id: 'status', width: 120, minWidth: 32, collapses: true }
  const all = [text, status, amount]
  expect(fitColumns(all, untouchedColumns, 400).map(({ width }) => width)).toEqual([160, 120, 120])
  expect(fitColumns(all, untouchedColumns, 399).map(({ width }) => width)).toEqual([160, 32, 120])
  expect(fitColumns(all, untouchedColumns, 300).map(({ width }) => width)).toEqual([160, 32, 108])
  const layout = { ...untouchedColumns, widths: { status: 90 } }
  expect(fitColumns(placeColumns(all, layout), layout, 350).map(({ width }) => width)).toEqual([160, 90, 100])
})

test('a column is as wide as its content, text at most as wide as it may be, an amount always whole', () => {
  const name = { id: 'name', width: 150, minWidth: 90 }
  const total = { id: 'total', width: 120, whole: true }
  const known = new Map([
    ['name', 110],
    ['total', 170],
    ['text', 90],
  ])
  expect(sizeColumns([text, name, total], known).map(({ width }) => width)).toEqual([160, 110, 170])
  expect(sizeColumns([{ ...text, isMeasured: true }], known).map(({ width }) => width)).toEqual([90])
  expect(sizeColumns([name], new Map([['name', 400]])).map(({ width }) => width)).toEqual([150])
  expect(sizeColumns([name, total], new Map())).toEqual([name, total])
})

test('whatever the room and whatever was remembered, a whole column is never narrower than its content', () => {
  const px = fc.integer({ min: 16, max: 400 })
  fc.assert(
    fc.property(px, px, px, fc.integer({ min: 0, max: 900 }), (content, asked, other, roomPx) => {
      const layout = { ...untouchedColumns, widths: { total: asked } }
      const sized = sizeColumns(
        [text, { id: 'total', width: 120, whole: true }, { id: 'name', width: other }],
        new Map([['total', content]]),
      )
      const total = fitColumns(placeColumns(sized, layout), layout, roomPx).find(({ id }) => id === 'total')
      expect(total?.width).toBeGreaterThanOrEqual(content)
      expect(total && resizeColumn(layout, total, 16).widths.total).toBeGreaterThanOrEqual(content)
    }),
  )
})

test('whatever the room, what is shown fits as soon as what cannot yield does, and a remembered width is kept', () => {
  const width = fc.integer({ min: 40, max: 300 })
  const column = fc.record(
    { id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), width, minWidth: width, yields: fc.integer({ min: 1, max: 3 }) },
    { requiredKeys: ['id', 'width'] },
  )
  const some = fc.uniqueArray(column, { selector: ({ id }) => id, minLength: 1 })
  fc.assert(
    fc.property(some, fc.integer({ min: 0, max: 2000 }), (made, roomPx) => {
      const layout = { ...untouchedColumns, widths: { a: 250 } }
      const wanted = placeColumns(made, layout)
      const fitted = fitColumns(wanted, layout, roomPx)
      const steady = wanted.filter(({ yields }) => yields === undefined)
      const least = steady.reduce((sum, { id, width, minWidth = width }) => sum + (id === 'a' ? width : Math.min(width, minWidth)), 0)
      expect(totalWidth(fitted)).toBeLessThanOrEqual(Math.max(roomPx, least))
      expect(ids(fitted)).toEqual(ids(wanted.filter(({ id }) => ids(fitted).includes(id))))
      expect(ids(fitted)).toEqual(expect.arrayContaining(ids(steady)))
      for (const { id, width } of fitted) if (id === 'a') expect(width).toBe(250)
    }),
  )
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
