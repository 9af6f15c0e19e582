import { photoQuality, photoSize } from '#shared/domain/photos'
import { desktop } from './desktop'

/** A JPEG's metadata comes before its picture; it may contain a thumbnail. */
const headBytes = 256 * 1024
/** Exif, XMP and IPTC, by the words that their parts begin with. */
const telling = /Exif\0\0|http:\/\/ns\.adobe\.com\/xap\/|Photoshop 3\.0/

/**
 * The photo to send: upright, no larger than photos are kept, and without location or camera data, as captures are.
 * Unchanged if it has no metadata, is not a JPEG or cannot be read, or if the person keeps the location.
 */
export async function preparePhoto(file: File): Promise<File> {
  if (!/^image\/jpe?g$/.test(file.type) || !(await isNotifying(file)) || (await keepsLocation())) return file
  return redraw(file).catch(() => file)
}

async function redraw(file: File): Promise<File> {
  const picture = await createImageBitmap(file)
  const { width, height } = photoSize(picture)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) return file
  context.drawImage(picture, 0, 0, width, height)
  picture.close()
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: photoQuality / 100 })
  return new File([blob], file.name, { type: file.type, lastModified: file.lastModified })
}

async function isNotifying(file: File): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  return telling.test(new TextDecoder('latin1').decode(head))
}

/** A browser has no such setting. */
async function keepsLocation(): Promise<boolean> {
  const state = await desktop?.call('desktop.show', {}).catch(() => undefined)
  return state?.preferences.keeps_location ?? false
}
