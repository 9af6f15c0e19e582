import type { Grey } from './grey'

/** The marks on paper: one byte per pixel, 1 if it is darker than its surroundings. */
export interface Ink extends Grey {
  readonly count: number
}

/** How much darker than its surroundings ink is, out of 255. */
const contrast = 22

/** The ink of an image: pixels darker than the mean of a square around them. */
export function findInk({ data, width, height }: Grey): Ink {
  const radius = Math.max(8, Math.round(Math.min(width, height) / 40))
  const sums = new Float64Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y += 1) {
    let row = 0
    for (let x = 0; x < width; x += 1) {
      row += data[y * width + x] ?? 0
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row
    }
  }
  const out = new Uint8Array(width * height)
  let count = 0
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [Math.max(0, y - radius) * (width + 1), Math.min(height, y + radius + 1) * (width + 1)]
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)]
      const sum = (sums[bottom + right] ?? 0) - (sums[top + right] ?? 0) - (sums[bottom + left] ?? 0) + (sums[top + left] ?? 0)
      const mean = sum / (((bottom - top) / (width + 1)) * (right - left))
      if ((data[y * width + x] ?? 0) < mean - contrast) {
        out[y * width + x] = 1
        count += 1
      }
    }
  }
  return { data: out, width, height, count }
}

/** A part of an image, in pixels. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Connected marks of at least some pixels, with their pixels. */
export function findMarks({ data, width, height }: Grey, minPixels: number): Array<Box & { readonly pixels: Int32Array }> {
  const seen = new Uint8Array(width * height)
  const stack = new Int32Array(width * height)
  const marks: Array<Box & { pixels: Int32Array }> = []
  for (let start = 0; start < data.length; start += 1) {
    if (data[start] === 0 || seen[start] === 1) continue
    let [length, next] = [1, 0]
    stack[0] = start
    seen[start] = 1
    let [left, right, top, bottom] = [width, 0, height, 0]
    // The pixels of the mark stay on the stack.
    while (next < length) {
      const at = stack[next++] ?? 0
      const [x, y] = [at % width, Math.floor(at / width)]
      ;[left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)]
      for (const [inside, to] of [
        [x > 0, at - 1],
        [x + 1 < width, at + 1],
        [y > 0, at - width],
        [y + 1 < height, at + width],
      ] as const) {
        if (!inside || seen[to] === 1 || data[to] === 0) continue
        seen[to] = 1
        stack[length++] = to
      }
    }
    if (length < minPixels) continue
    marks.push({ x: left, y: top, width: right - left + 1, height: bottom - top + 1, pixels: stack.slice(0, length) })
  }
  return marks
}

/** The height of an image's letters, in pixels; undefined if there are none. */
export function letterHeight(marks: readonly Box[], { height: highest }: Grey): number | undefined {
  const heights = marks
    .filter(({ width, height }) => height >= 5 && height < highest / 8 && width < 3 * height && height < 6 * width)
    .map(({ height }) => height)
    .sort((a, b) => a - b)
  // Lower-case letters, points and broken strokes are lower than digits: two thirds up the sorted heights is a digit.
  return heights.length < 8 ? undefined : heights[Math.floor(heights.length * 0.6)]
}

/**
 * How far lines of text lean, in radians; positive if they fall to the right. It is the angle at which the marks' middles fall into the fewest rows.
 */
export function findLean(marks: readonly Box[], letters: number): number {
  const middles = marks
    .filter(({ height, width }) => height > letters * 0.5 && height < letters * 2 && width < letters * 4)
    .slice(0, 4000)
    .map(({ x, y, width, height }) => [x + width / 2, y + height] as const)
  if (middles.length < 20) return 0
  const sharpness = (lean: number) => {
    const rows = new Map<number, number>()
    for (const [x, y] of middles) {
      const row = Math.round((y - x * lean) / (letters * 0.25))
      rows.set(row, (rows.get(row) ?? 0) + 1)
    }
    let sum = 0
    for (const count of rows.values()) sum += count * count
    return sum
  }
  const best = (from: number, to: number, step: number) => {
    let [found, most] = [0, sharpness(0) * 1.02]
    for (let lean = from; lean <= to; lean += step) {
      const value = sharpness(lean)
      if (value > most) [found, most] = [lean, value]
    }
    return found
  }
  const rough = best(-0.3, 0.3, 0.01)
  return rough === 0 ? best(-0.01, 0.01, 0.002) : best(rough - 0.01, rough + 0.01, 0.002)
}
