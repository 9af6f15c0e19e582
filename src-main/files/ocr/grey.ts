/** A grey image, one byte per pixel; 255 is white. */
export interface Grey {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** An image of half the size: each pixel is the mean of four. */
export function halve({ data, width, height }: Grey): Grey {
  const [wide, high] = [Math.max(1, width >> 1), Math.max(1, height >> 1)]
  const out = new Uint8Array(wide * high)
  for (let y = 0; y < high; y += 1)
    for (let x = 0; x < wide; x += 1) {
      const at = 2 * y * width + 2 * x
      const below = 2 * y + 1 < height ? width : 0
      const right = 2 * x + 1 < width ? 1 : 0
      out[y * wide + x] = ((data[at] ?? 0) + (data[at + right] ?? 0) + (data[at + below] ?? 0) + (data[at + below + right] ?? 0)) >> 2
    }
  return { data: out, width: wide, height: high }
}

/** The image turned clockwise by quarters. */
export function turn(picture: Grey, quarters: number): Grey {
  const { data, width, height } = picture
  const times = ((quarters % 4) + 4) % 4
  if (times === 0) return picture
  const [wide, high] = times === 2 ? [width, height] : [height, width]
  const out = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [toX, toY] = times === 1 ? [height - 1 - y, x] : times === 2 ? [width - 1 - x, height - 1 - y] : [y, width - 1 - x]
      out[toY * wide + toX] = data[y * width + x] ?? 0
    }
  return { data: out, width: wide, height: high }
}

/** The interpolated value between pixels; beyond an edge, the edge's value. */
export function sample({ data, width, height }: Grey, x: number, y: number): number {
  const [inX, inY] = [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)]
  const [left, top] = [Math.floor(inX), Math.floor(inY)]
  const [dx, dy] = [inX - left, inY - top]
  const at = top * width + left
  const right = left + 1 < width ? 1 : 0
  const below = top + 1 < height ? width : 0
  const above = (data[at] ?? 0) * (1 - dx) + (data[at + right] ?? 0) * dx
  return above * (1 - dy) + ((data[at + below] ?? 0) * (1 - dx) + (data[at + below + right] ?? 0) * dx) * dy
}

/** Converts opaque RGBA pixels to grey. */
export function toGrey({ data, width, height }: { data: Uint8ClampedArray; width: number; height: number }): Grey {
  const out = new Uint8Array(width * height)
  for (let at = 0; at < out.length; at += 1)
    out[at] = ((data[4 * at] ?? 0) * 77 + (data[4 * at + 1] ?? 0) * 150 + (data[4 * at + 2] ?? 0) * 29) >> 8
  return { data: out, width, height }
}
