import type { Metadata, Sharp } from 'sharp'
import sharp from 'sharp'
import type { CapturableType } from '#shared/domain/captures'
import type { ContentType } from '#shared/domain/content-types'
import { hashPicture, hashedSidePx } from '#shared/domain/picture-hash'
import type { Inspection, InspectionLimits, Thumbnail, ThumbnailStyle } from '#main/files/inspection'
import { toThumbnailSize } from '#main/files/inspection'

// A cached file would stay open, and on Windows could then not be renamed to its lasting place.
sharp.cache(false)

const formats: Readonly<Partial<Record<CapturableType, Metadata['format']>>> = {
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
  'image/heic': 'heif',
  'image/avif': 'heif',
  'image/webp': 'webp',
}

/** An image whose header is within the limits, not yet decoded. */
export interface JudgedImage {
  readonly kind: 'ok'
  readonly header: Metadata
  readonly pages: number
}

/** Reads an image's header against the limits and decodes nothing. @throws when it cannot be read */
export async function judgeImage(
  path: string,
  content_type: CapturableType,
  limits: InspectionLimits,
): Promise<JudgedImage | Extract<Inspection, { kind: 'refused' }>> {
  const header = await readHeader(path, 0)
  if (header.format !== formats[content_type]) return { kind: 'refused', reason: 'type_mismatch' }
  const pages = header.pages ?? 1
  if (header.format === 'tiff' && pages > limits.maxTiffPages) return { kind: 'refused', reason: 'too_many_pages' }
  const pixels = header.format === 'tiff' ? await countTiffPixels(path, pages) : header.width * header.height * pages
  return pixels > limits.maxPixels ? { kind: 'refused', reason: 'too_many_pixels' } : { kind: 'ok', header, pages }
}

/** Judges an image and only then decodes it, which shows whether it is whole. @throws when it cannot be read */
export async function inspectImage(path: string, contentType: ContentType, limits: InspectionLimits): Promise<Inspection> {
  const judged = await judgeImage(path, contentType, limits)
  if (judged.kind === 'refused') return judged
  const picture_hash = await hashImage(openWhole(path, limits))
  return { kind: 'ok', ...judged.header.autoOrient, pages: judged.pages, ...(picture_hash !== undefined && { picture_hash }) }
}

/** Three times as many pixels as are hashed, and so much blur: copies of other sizes then come out nearly alike. */
const before = { sidePx: 3 * hashedSidePx, blur: 2.2 }

/** The perceptual hash of a picture, where it shows something. */
async function hashImage(picture: Sharp): Promise<string | undefined> {
  const { sidePx } = before
  // What a decoder shrinks while it reads differs from one copy to the next.
  const size = { width: sidePx, height: sidePx, fit: 'fill', fastShrinkOnLoad: false } as const
  const upright = picture.autoOrient().flatten({ background: '#ffffff' }).resize(size)
  const grey = await upright.blur(before.blur).toColourspace('b-w').raw().toBuffer()
  const small = sharp(grey, { raw: { width: sidePx, height: sidePx, channels: 1 } })
  const resized = small.resize(hashedSidePx, hashedSidePx, { fit: 'fill', kernel: 'cubic' }).toColourspace('b-w')
  return hashPicture(await resized.raw().toBuffer())
}

/** The picture of an image (of its first page or frame) in a style. @throws when it cannot be decoded */
export async function renderImage(path: string, style: ThumbnailStyle, limits: InspectionLimits): Promise<Thumbnail> {
  const header = await readHeader(path, 0)
  const size = toThumbnailSize(style, header.autoOrient)
  const picture = openWhole(path, limits)
    .autoOrient()
    .resize({ ...size, fit: 'fill' })
  return encode(picture, { transparent: header.hasAlpha })
}

/** The picture of a page painted elsewhere, given as opaque RGBA pixels. */
export async function renderPixels(
  page: { data: Uint8ClampedArray; width: number; height: number },
  style: ThumbnailStyle,
): Promise<Thumbnail> {
  const { data, width, height } = page
  const size = toThumbnailSize(style, page)
  const picture = sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .resize({ ...size, fit: 'fill' })
  return encode(picture, { transparent: false })
}

async function encode(picture: Sharp, { transparent }: { transparent: boolean }): Promise<Thumbnail> {
  const encoded = transparent ? picture.png() : picture.jpeg({ quality: 82 })
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
  // A copy: a Buffer is often a view of memory that holds other data too.
  return { bytes: new Uint8Array(data), content_type: transparent ? 'image/png' : 'image/jpeg', width: info.width, height: info.height }
}

async function readHeader(path: string, page: number): Promise<Metadata> {
  // Reading a header decodes nothing, and the size it claims is what we want to know.
  return sharp(path, { page, limitInputPixels: false, failOn: 'none' }).metadata()
}

/** An image that is decoded only within the limit, and only where it is whole. */
export function openWhole(path: string, { maxPixels }: InspectionLimits): Sharp {
  return sharp(path, { limitInputPixels: maxPixels, failOn: 'truncated' })
}

/** The pages of a TIFF may differ in size. */
async function countTiffPixels(path: string, pages: number): Promise<number> {
  let pixels = 0
  for (let page = 0; page < pages; page += 1) {
    const { width, height } = await readHeader(path, page)
    pixels += width * height
  }
  return pixels
}
