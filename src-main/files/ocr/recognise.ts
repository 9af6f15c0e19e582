import { type InferenceSession, Tensor } from 'onnxruntime-node'
import { type Grey, sample } from '#main/files/ocr/grey'
import type { TextStrip } from '#main/files/ocr/detect'

/** The text of a strip and its confidence, 0 to 1. `starts`: the position of each character, from 0 (left) to 1. */
export interface StripText {
  readonly text: string
  readonly confidence: number
  readonly starts: readonly number[]
  /** The confidence of each character, 0 to 1. */
  readonly sure: readonly number[]
}

const stripHeight = 48
const widest = 1920
const widthStep = 48
const batchSize = 1
/** The recogniser's step, in pixels. */
const stepPx = 8
/** Characters this many usual steps apart have a space between them. */
const wordGap = 1.6

/** The signs that the recogniser may return: its vocabulary is Chinese, but receipts here are not. */
function latinSigns(keys: readonly string[]): Array<{ readonly index: number; readonly sign: string }> {
  const signs = [...keys, ' '].map((sign, at) => ({ index: at + 1, sign }))
  return signs.filter(({ sign }) => /^[\x20-\x7e£€¥°ºªÀ-ÿ]$/.test(sign))
}

/** Reads strips of images. `levels`: the image in full size and its halves. */
export async function recogniseStrips(
  { session, keys }: { readonly session: InferenceSession; readonly keys: readonly string[] },
  levels: readonly Grey[],
  strips: readonly TextStrip[],
): Promise<StripText[]> {
  const signs = latinSigns(keys)
  const widthOf = (strip: TextStrip) =>
    Math.min(widest, Math.max(stripHeight, Math.round((stripHeight * strip.width) / Math.max(1, strip.height))))
  const order = strips.map((strip, index) => ({ strip, index, width: widthOf(strip) })).sort((a, b) => a.width - b.width)
  const texts = new Array<StripText>(strips.length)
  const [inputName = '', outputName = ''] = [session.inputNames[0], session.outputNames[0]]
  for (let from = 0; from < order.length; from += batchSize) {
    const batch = order.slice(from, from + batchSize)
    // Few different widths: memory of many sizes would fragment.
    const width = Math.ceil(Math.max(...batch.map((one) => one.width)) / widthStep) * widthStep
    const plane = stripHeight * width
    const input = new Float32Array(batch.length * 3 * plane)
    batch.forEach((one, at) => cut(levels, { ...one, plane: width, into: input.subarray(at * 3 * plane, (at + 1) * 3 * plane) }))
    const found = await session.run({ [inputName]: new Tensor('float32', input, [batch.length, 3, stripHeight, width]) })
    const output = found[outputName]
    if (!(output?.data instanceof Float32Array)) throw new TypeError('The recogniser returned no text')
    const [, steps = 0, size = 0] = output.dims
    for (const [at, { index, width: own }] of batch.entries())
      texts[index] = decode(output.data.subarray(at * steps * size, (at + 1) * steps * size), { size, signs, width: own })
  }
  return texts
}

/** Writes a strip into a plane for each colour, from -1 to 1, as the recogniser needs it. */
function cut(
  levels: readonly Grey[],
  { strip, width, plane, into }: { strip: TextStrip; width: number; plane: number; into: Float32Array },
): void {
  const scale = strip.height / stripHeight
  const level = Math.max(0, Math.min(levels.length - 1, Math.floor(Math.log2(Math.max(1, scale * 1.2)))))
  const picture = levels[level]
  if (!picture) return
  const smaller = 1 / 2 ** level
  const size = stripHeight * plane
  for (let v = 0; v < stripHeight; v += 1)
    for (let u = 0; u < width; u += 1) {
      const across = (u + 0.5) * (strip.width / width)
      const x = strip.x + across
      const y = strip.y + strip.slope * across + (v + 0.5 - stripHeight / 2) * scale
      const value = sample(picture, x * smaller - 0.5, y * smaller - 0.5) / 127.5 - 1
      const at = v * plane + u
      into[at] = value
      into[at + size] = value
      into[at + 2 * size] = value
    }
}

function decode(
  output: Float32Array,
  { size, signs, width }: { size: number; signs: ReturnType<typeof latinSigns>; width: number },
): StripText {
  const steps = Math.min(output.length / size, Math.ceil(width / stepPx) + 1)
  const letters: Array<{ sign: string; step: number; probability: number }> = []
  let last = 0
  for (let step = 0; step < steps; step += 1) {
    const base = step * size
    let [best, most, sign] = [0, output[base] ?? 0, '']
    for (const candidate of signs) {
      const value = output[base + candidate.index] ?? 0
      if (value > most) [best, most, sign] = [candidate.index, value, candidate.sign]
    }
    if (best !== 0 && best !== last) letters.push({ sign, step, probability: most })
    last = best
  }
  if (letters.length === 0) return { text: '', confidence: 0, starts: [], sure: [] }
  const gaps = letters.slice(1).map(({ step }, at) => step - (letters[at]?.step ?? 0))
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 1
  const confidence = letters.reduce((sum, { probability }) => sum + probability, 0) / letters.length
  const spread = letters.flatMap(({ sign, step, probability }, at) => {
    const before = letters[at - 1]
    const isApart = before !== undefined && before.sign !== ' ' && sign !== ' ' && step - before.step > wordGap * usual + 0.5
    return [...(isApart ? [{ sign: ' ', step, probability: 1 }] : []), { sign, step, probability }]
  })
  return {
    text: spread.map(({ sign }) => sign).join(''),
    confidence,
    starts: spread.map(({ step }) => (step * stepPx) / width),
    sure: spread.map(({ probability }) => Math.round(probability * 1000) / 1000),
  }
}
