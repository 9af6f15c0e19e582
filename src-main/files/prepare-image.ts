import exifReader, { type Exif } from 'exif-reader'
import type { Metadata, Sharp } from 'sharp'
import sharp from 'sharp'
import { photoQuality, photoSize } from '#shared/domain/photos'
import { inspectImage, judgeImage, openWhole } from '#main/files/image-files'
import type { CapturedFile, Preparation, Prepared, Size } from '#main/files/inspection'

/** HEIC is decoded completely in memory: no phone takes larger pictures. */
const maxHeicPixels = 50_000_000

/**
 * Turns a captured image upright, removes location and camera metadata, and reduces photos. An image that needs none of this keeps its bytes. PNG,
 * GIF and TIFF lose no pixel. @throws if it cannot be read
 */
export async function prepareImage(
  path: string,
  content_type: CapturedFile['content_type'],
  { limits, keepsLocation }: Preparation,
): Promise<Prepared> {
  const isHeic = content_type === 'image/heic'
  const judged = await judgeImage(path, content_type, isHeic ? { ...limits, maxPixels: maxHeicPixels } : limits)
  if (judged.kind === 'refused') return judged
  const { header, pages } = judged
  const exif = readExif(header)
  const taken_at = takenAt(exif)
  const when = taken_at === undefined ? {} : { taken_at }
  if (isHeic) {
    const photo = asPhoto(await decodeHeic(path))
    return { ...(await toMade(keepsLocation ? photo.withExif(placeOf(exif)) : photo, 'image/jpeg')), ...when }
  }
  if (content_type === 'image/webp' || content_type === 'image/avif') {
    const upright = openWhole(path, limits).autoOrient()
    const picture = (keepsLocation ? upright.keepExif() : upright).resize({ ...photoSize(header.autoOrient), fit: 'fill' })
    return { ...(await toMade(picture, (await isSeeThrough(path, limits)) ? 'image/png' : 'image/jpeg')), ...when }
  }
  const isPhoto = header.format === 'jpeg'
  const isUpright = (header.orientation ?? 1) === 1
  const isNotifying = !keepsLocation && [header.exif, header.xmp, header.iptc].some((part) => part !== undefined)
  const isLarge = isPhoto && photoSize(header).width < header.width
  const isStill = header.format !== 'gif' && pages === 1
  if (!isStill || (isUpright && !isNotifying && !isLarge)) {
    const inspection = await inspectImage(path, content_type, limits)
    return { ...(inspection.kind === 'ok' ? { ...inspection, kind: 'same' } : inspection), ...when }
  }
  const upright = openWhole(path, limits).autoOrient()
  const told = keepsLocation ? upright.keepExif() : upright
  const picture = isPhoto ? told.resize({ ...photoSize(header.autoOrient), fit: 'fill' }) : told
  return { ...(await toMade(picture, toImageType(header))), ...when }
}

/** Whether any pixel is transparent: many images have an unused alpha channel. */
async function isSeeThrough(path: string, limits: Preparation['limits']): Promise<boolean> {
  return !(await openWhole(path, limits).stats()).isOpaque
}

type ImageType = Extract<Prepared, { kind: 'made' }>['content_type']

function toImageType({ format }: Metadata): ImageType {
  return format === 'png' ? 'image/png' : format === 'tiff' ? 'image/tiff' : 'image/jpeg'
}

function asPhoto({ data, width, height }: Size & { data: Uint8ClampedArray }): Sharp {
  const pixels = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha()
  return pixels.resize({ ...photoSize({ width, height }), fit: 'fill' })
}

/** Decodes HEIC; the decoder returns upright pixels. Loaded here, as it is large and few files need it. */
async function decodeHeic(path: string): Promise<Size & { data: Uint8ClampedArray }> {
  const [{ default: decode }, { readFile }] = await Promise.all([import('heic-decode'), import('node:fs/promises')])
  return decode({ buffer: await readFile(path) })
}

async function toMade(picture: Sharp, content_type: ImageType): Promise<Prepared> {
  const encoded =
    content_type === 'image/png'
      ? picture.png()
      : content_type === 'image/tiff'
        ? picture.tiff({ compression: 'lzw' })
        : picture.jpeg({ quality: photoQuality })
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
  return { kind: 'made', bytes: new Uint8Array(data), content_type, width: info.width, height: info.height }
}

/** Reads EXIF data; undefined if it is malformed, which cameras often write without harm to the photo. */
function readExif({ exif }: Metadata): Exif | undefined {
  try {
    return exif && exifReader(exif)
  } catch {
    return undefined
  }
}

function takenAt(exif: Exif | undefined): string | undefined {
  const { DateTimeOriginal: taken, OffsetTimeOriginal: offset = '' } = exif?.Photo ?? {}
  if (!(taken instanceof Date) || Number.isNaN(taken.getTime())) return undefined
  return `${taken.toISOString().slice(0, 19)}${/^[+-]\d\d:\d\d$/.test(offset) ? offset : ''}`
}

/** The location in EXIF form: degrees, minutes and seconds as fractions. */
function placeOf(exif: Exif | undefined): Parameters<Sharp['withExif']>[0] {
  const { GPSLatitudeRef, GPSLatitude, GPSLongitudeRef, GPSLongitude } = exif?.GPSInfo ?? {}
  if (!GPSLatitudeRef || !GPSLatitude || !GPSLongitudeRef || !GPSLongitude) return {}
  const toText = (parts: readonly number[]) => parts.map((part) => `${Math.round(part * 1e6)}/1000000`).join(' ')
  return { IFD3: { GPSLatitudeRef, GPSLatitude: toText(GPSLatitude), GPSLongitudeRef, GPSLongitude: toText(GPSLongitude) } }
}
