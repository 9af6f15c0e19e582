import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import sharp, { type Sharp } from 'sharp'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { codeFormats } from '#shared/codes/facts'
import type { CapturableType } from '#shared/domain/captures'
import { judgeImage, openWhole } from '#main/files/image-files'
import type { FoundCode, InspectionLimits } from '#main/files/inspection'
import { paintPages } from '#main/files/pdf-files'

/** A page as grey pixels. */
interface GreyPage {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** Codes are on the first pages; a long document without codes would take minutes. */
const mostPages = 10
/** The longest side of each try, in pixels; the next try runs only if the one before found nothing. */
const triesPx = [1600, 3000] as const
/** The longest side of a painted PDF page, in pixels. */
const pagePx = 2400
const options = { formats: [...codeFormats], tryHarder: true, maxNumberOfSymbols: 16 }

let ready: Promise<unknown> | undefined

/** Loads the decoder's program from its package; by default it would be downloaded. */
function prepare(): Promise<unknown> {
  ready ??= readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')).then((wasmBinary) =>
    prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasmBinary).buffer }, fireImmediately: true }),
  )
  return ready
}

/** The QR and bar codes of an image or PDF, page by page. @throws if it cannot be read or exceeds the limits */
export async function findCodes(
  { path, content_type }: { readonly path: string; readonly content_type: CapturableType },
  limits: InspectionLimits,
): Promise<FoundCode[]> {
  await prepare()
  if (content_type === 'application/pdf') {
    const found: FoundCode[] = []
    await paintPages(path, { limits, longestPx: pagePx, mostPages }, async ({ data, width, height }, page) => {
      const painted = sharp(data, { raw: { width, height, channels: 4 } })
      found.push(...(await codesOf(painted, { width, height }, page)))
    })
    return found
  }
  const judged = await judgeImage(path, content_type, limits)
  if (judged.kind === 'refused') throw new RangeError(`Refused: ${judged.reason}`)
  return codesOf(openWhole(path, limits).autoOrient(), judged.header.autoOrient, 0)
}

async function codesOf(picture: Sharp, size: { width: number; height: number }, page: number): Promise<FoundCode[]> {
  const longest = Math.max(size.width, size.height)
  for (const [at, triedPx] of triesPx.entries()) {
    if (at > 0 && longest <= (triesPx[at - 1] ?? 0)) break
    const found = await decode(await toGrey(picture, Math.min(longest, triedPx)), page)
    if (found.length > 0) return found
  }
  // For paper in bad light: removes shadows and sharpens edges.
  const sidePx = Math.min(longest, triesPx[0])
  return decode(
    await toGrey(
      picture.clone().resize(sidePx, sidePx, { fit: 'inside' }).greyscale().clahe({ width: 96, height: 96 }).sharpen({ sigma: 1.5 }),
      sidePx,
    ),
    page,
  )
}

async function toGrey(picture: Sharp, sidePx: number): Promise<GreyPage> {
  const resized = picture.clone().flatten({ background: '#ffffff' }).resize(sidePx, sidePx, { fit: 'inside' })
  const { data, info } = await resized.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

async function decode({ data, width, height }: GreyPage, page: number): Promise<FoundCode[]> {
  // A loop: `Uint32Array.from` takes nine times as long as looking for the codes.
  const pixels = new Uint32Array(data.length)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = (0xff << 24) | ((data[at] ?? 0) * 0x01_01_01)
  const image = { data: new Uint8ClampedArray(pixels.buffer), width, height, colorSpace: 'srgb', pixelFormat: 'rgba-unorm8' } as const
  const results = await readBarcodes(image, options)
  return results.flatMap(({ isValid, symbology, text, position }) => {
    const known = codeFormats.find((name) => name === symbology)
    if (!isValid || known === undefined) return []
    const corners = [position.topLeft, position.topRight, position.bottomRight, position.bottomLeft]
    const [xs, ys] = [corners.map(({ x }) => x / width), corners.map(({ y }) => y / height)]
    const [left, top] = [Math.min(...xs), Math.min(...ys)]
    const place = { page, x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
    return [{ text, format: known, place }]
  })
}
