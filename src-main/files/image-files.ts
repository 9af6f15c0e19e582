import type { Metadata, Sharp } from 'sharp'
import sharp from 'sharp'
import type { CapturableType } from '#shared/domain/captures'
import type { ContentType } from '#shared/domain/content-types'
import { hashPicture, hashedSidePx } from '#shared/domain/picture-hash'
import type { Inspection, InspectionLimits, Thumbnail, ThumbnailStyle } from '#main/files/inspection'
import { toThumbnailSize } from '#main/files/inspection'

// A cached file would stay open, and Windows could not rename it.
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

/** An image whose header is within the limits; not decoded yet. */
export interface JudgedImage {
  readonly kind: 'ok'
  readonly header: Metadata
  readonly pages: number
}

/** Checks an image's header against the limits without decoding. @throws if it cannot be read */
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

/** Checks an image's header, then decodes it to check that it is complete. @throws if it cannot be read */
export async function inspectImage(path: string, contentType: ContentType, limits: InspectionLimits): Promise<Inspection> {
  const judged = await judgeImage(path, contentType, limits)
  if (judged.kind === 'refused') return judged
  const picture_hash = await hashImage(openWhole(path, limits))
  return { kind: 'ok', ...judged.header.autoOrient, pages: judged.pages, ...(picture_hash !== undefined && { picture_hash }) }
}

/** Three times the hashed pixels, blurred: copies in other sizes then give nearly equal hashes. */
const before = { sidePx: 3 * hashedSidePx, blur: 2.2 }

/** The perceptual hash of an image; undefined if it shows nothing. */
async function hashImage(picture: Sharp): Promise<string | undefined> {
  const { sidePx } = before
  // Shrinking while decoding would differ between copies.
  const size = { width: sidePx, height: sidePx, fit: 'fill', fastShrinkOnLoad: false } as const
  const upright = picture.autoOrient().flatten({ background: '#ffffff' }).resize(size)
  const grey = await upright.blur(before.blur).toColourspace('b-w').raw().toBuffer()
  const small = sharp(grey, { raw: { width: sidePx, height: sidePx, channels: 1 } })
  const resized = small.resize(hashedSidePx, hashedSidePx, { fit: 'fill', kernel: 'cubic' }).toColourspace('b-w')
  return hashPicture(await resized.raw().toBuffer())
}

/** The picture of an image (first page or frame) in a style. @throws if it cannot be decoded */
export async function renderImage(path: string, style: ThumbnailStyle, limits: InspectionLimits): Promise<Thumbnail> {
  const header = await readHeader(path, 0)
  const size = toThumbnailSize(style, header.autoOrient)
  const picture = openWhole(path, limits)
    .autoOrient()
    .resize({ ...size, fit: 'fill' })
  return encode(picture, { transparent: header.hasAlpha })
}

/** The picture of a painted page, from opaque RGBA pixels. */
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
  // A copy: a Buffer is often a view of memory with other data.
  return { bytes: new Uint8Array(data), content_type: transparent ? 'image/png' : 'image/jpeg', width: info.width, height: info.height }
}

async function readHeader(path: string, page: number): Promise<Metadata> {
  // Reading a header decodes nothing, so the pixel limit is off: the claimed size is what we want.
  return sharp(path, { page, limitInputPixels: false, failOn: 'none' }).metadata()
}

/** Opens an image that decodes only within the limit, and only if it is complete. */
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
