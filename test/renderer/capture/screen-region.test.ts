import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  middleRegion,
  moveRegion,
  type Region,
  regionBetween,
  resizeRegion,
  toPixels,
  wholeRegion,
} from '../../../src-renderer/features/capture/screen-region'

const share = fc.double({ min: -2, max: 3, noNaN: true })
const point = fc.record({ x: share, y: share })
const size = fc.record({ width: fc.integer({ min: 1, max: 8000 }), height: fc.integer({ min: 1, max: 8000 }) })

function expectInside(region: Region, { width, height }: { width: number; height: number }): void {
  const pixels = toPixels(region, { width, height })
  expect(Math.min(pixels.x, pixels.y)).toBeGreaterThanOrEqual(0)
  expect(Math.min(pixels.width, pixels.height)).toBeGreaterThanOrEqual(1)
  expect(pixels.x + pixels.width).toBeLessThanOrEqual(width)
  expect(pixels.y + pixels.height).toBeLessThanOrEqual(height)
}

test('whatever is dragged, moved and resized lies inside the picture and is never empty', () => {
  fc.assert(
    fc.property(point, point, fc.array(fc.tuple(fc.boolean(), point)), size, (from, to, acts, picture) => {
      const dragged = regionBetween(from, to) ?? middleRegion
      const region = acts.reduce((known, [isMove, by]) => (isMove ? moveRegion(known, by) : resizeRegion(known, by)), dragged)
      expectInside(region, picture)
    }),
  )
})

test('the whole picture is all of its pixels, and a click chooses nothing', () => {
  expect(toPixels(wholeRegion, { width: 1920, height: 1080 })).toEqual({ x: 0, y: 0, width: 1920, height: 1080 })
  expect(regionBetween({ x: 0.5, y: 0.5 }, { x: 0.501, y: 0.501 })).toBeUndefined()
  expect(regionBetween({ x: 0.75, y: 0.5 }, { x: 0.25, y: 0.25 })).toEqual({ left: 0.25, top: 0.25, width: 0.5, height: 0.25 })
})
