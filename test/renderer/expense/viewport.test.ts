import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandOf } from '../../../src-renderer/features/expense/receipt-viewer/commands'
import { place, stepViewport, wholeReceipt, type Viewport } from '../../../src-renderer/features/expense/receipt-viewer/viewport'

const stage = { width: 400, height: 300 }
const sizes = fc.record({ width: fc.integer({ min: 1, max: 5000 }), height: fc.integer({ min: 1, max: 5000 }) })

describe('how a receipt is looked at', () => {
  test('a whole receipt fits its stage, upright or turned', () => {
    fc.assert(
      fc.property(sizes, fc.constantFrom(0, 1, 2, 3), (natural, quarterTurns) => {
        const viewport: Viewport = { ...wholeReceipt, quarterTurns }
        const { size } = place(natural, stage, viewport)
        const seen = quarterTurns % 2 === 1 ? { width: size.height, height: size.width } : size
        expect(seen.width).toBeLessThanOrEqual(stage.width + 1e-6)
        expect(seen.height).toBeLessThanOrEqual(stage.height + 1e-6)
      }),
    )
  })

  test('no pan loses the receipt out of its stage', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 0, max: 6 }), fc.integer(), fc.integer(), (natural, steps, x, y) => {
        const zoomed = stepViewport(wholeReceipt, { kind: 'zoom', steps })
        const { size, viewport } = place(natural, stage, stepViewport(zoomed, { kind: 'pan', x, y }))
        expect(Math.abs(viewport.x)).toBeLessThanOrEqual(Math.max(0, (size.width - stage.width) / 2) + 1e-6)
        expect(Math.abs(viewport.y)).toBeLessThanOrEqual(Math.max(0, (size.height - stage.height) / 2) + 1e-6)
      }),
    )
  })

  test('what is under the pointer stays there while zooming', () => {
    const pointer = { x: 100, y: -50 }
    const before: Viewport = { zoom: 2, quarterTurns: 0, x: 30, y: 10 }
    const after = stepViewport(before, { kind: 'zoom', steps: 1, pointer })
    const under = ({ zoom, x, y }: Viewport) => [(pointer.x - x) / zoom, (pointer.y - y) / zoom]
    under(after).forEach((value, index) => expect(value).toBeCloseTo(under(before)[index] ?? 0))
  })

  test('zooming out ends at the whole receipt', () => {
    expect(stepViewport(wholeReceipt, { kind: 'zoom', steps: -5 }).zoom).toBe(1)
  })

  test('four turns are none', () => {
    let viewport: Viewport = wholeReceipt
    for (let turn = 0; turn < 4; turn += 1) viewport = stepViewport(viewport, { kind: 'turn' })
    expect(viewport).toEqual(wholeReceipt)
  })

  test('letters with a modifier stay with the browser', () => {
    const press = { key: '+', shiftKey: false, ctrlKey: false, metaKey: false, altKey: false }
    const whole = { isWhole: true }
    expect(commandOf(press, whole)).toEqual({ kind: 'view', step: { kind: 'zoom', steps: 1 } })
    expect(commandOf({ ...press, ctrlKey: true }, whole)).toBeUndefined()
    expect(commandOf({ ...press, key: 'r' }, whole)).toBeUndefined()
    expect(commandOf({ ...press, key: 'R', shiftKey: true }, whole)).toEqual({ kind: 'view', step: { kind: 'turn' } })
  })

  test('the sideways arrows go to other receipts while the whole receipt is seen, and pan when it is zoomed', () => {
    const press = { key: 'ArrowRight', shiftKey: false, ctrlKey: false, metaKey: false, altKey: false }
    expect(commandOf(press, { isWhole: true })).toEqual({ kind: 'receipt', by: 1 })
    expect(commandOf(press, { isWhole: false })).toMatchObject({ kind: 'view', step: { kind: 'pan' } })
    expect(commandOf({ ...press, key: 'ArrowDown' }, { isWhole: true })).toMatchObject({ kind: 'view', step: { kind: 'pan' } })
  })
})
