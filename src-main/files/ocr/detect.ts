import { type InferenceSession, Tensor } from 'onnxruntime-node'
import { type Grey } from '#main/files/ocr/grey'
import { type Box, findMarks } from '#main/files/ocr/ink'

/** A line of text: its middle starts at height `y` on the left and falls by `slope` per pixel. */
export interface TextStrip {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly slope: number
}

/** The probability from which a pixel is text, and the mean from which a mark is text. */
const limits = { pixel: 0.3, mark: 0.55 }
/** The detector marks the core of letters: a mark grows by this multiple of its area divided by its perimeter. */
const growth = 1.8
const mean = [0.485, 0.456, 0.406]
const deviation = [0.229, 0.224, 0.225]

/** The strips of text in an image whose sides are multiples of 32. */
export async function detectStrips(session: InferenceSession, picture: Grey): Promise<TextStrip[]> {
  const { width, height } = picture
  const input = new Float32Array(3 * width * height)
  for (let channel = 0; channel < 3; channel += 1) {
    const [from, by] = [mean[channel] ?? 0, deviation[channel] ?? 1]
    const levels = Float32Array.from({ length: 256 }, (_, level) => (level / 255 - from) / by)
    const base = channel * width * height
    for (let at = 0; at < width * height; at += 1) input[base + at] = levels[picture.data[at] ?? 0] ?? 0
  }
  const [inputName = ''] = session.inputNames
  const found = await session.run({ [inputName]: new Tensor('float32', input, [1, 3, height, width]) })
  const map = found[session.outputNames[0] ?? '']?.data
  if (!(map instanceof Float32Array)) throw new TypeError('The detector returned no map')
  const bits = new Uint8Array(map.length)
  for (let at = 0; at < bits.length; at += 1) bits[at] = (map[at] ?? 0) > limits.pixel ? 1 : 0
  return findMarks({ data: bits, width, height }, 12).flatMap((mark) => {
    let sum = 0
    for (const at of mark.pixels) sum += map[at] ?? 0
    return sum / mark.pixels.length < limits.mark || Math.min(mark.width, mark.height) < 3 ? [] : [toStrip(mark, width)]
  })
}

/** The strip around a mark; its middle is the line that best fits the mark's pixels. */
function toStrip({ x, y, width, height, pixels }: Box & { readonly pixels: Int32Array }, pictureWidth: number): TextStrip {
  const area = pixels.length
  let [sumX, sumY, sumXX, sumXY] = [0, 0, 0, 0]
  for (const at of pixels) {
    const [px, py] = [at % pictureWidth, Math.floor(at / pictureWidth)]
    sumX += px
    sumY += py
    sumXX += px * px
    sumXY += px * py
  }
  const spread = sumXX - (sumX * sumX) / area
  const isFlat = width > 3 * height || width > 60
  const fitted = isFlat && spread > 0 ? (sumXY - (sumX * sumY) / area) / spread : 0
  const slope = Math.abs(fitted) > 0.3 ? 0 : fitted
  const high = Math.max(3, Math.min(height, slope === 0 ? height : coreHeight(pixels, pictureWidth, slope)))
  const grown = (width * high * growth) / (2 * (width + high))
  const middle = slope === 0 ? y + height / 2 : sumY / area - slope * (sumX / area - x)
  return { x: x - grown, y: middle - slope * grown, width: width + 2 * grown, height: high + 2 * grown, slope }
}

function coreHeight(pixels: Int32Array, pictureWidth: number, slope: number): number {
  let [top, bottom] = [Infinity, -Infinity]
  for (const at of pixels) {
    const level = Math.floor(at / pictureWidth) - slope * (at % pictureWidth)
    ;[top, bottom] = [Math.min(top, level), Math.max(bottom, level)]
  }
  return bottom - top + 1
}
