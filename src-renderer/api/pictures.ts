import { maxPicturePixels, photoQuality, photoSize } from '#shared/domain/photos'

/** What a browser can show and receipts cannot be: made into a JPEG, or a PNG where it is see-through, before it is sent. */
const shownOnly = new Set(['image/webp', 'image/avif'])

/** Whether a file is a picture that is converted in the page before it is a receipt. */
export function isConvertedHere({ type, name }: File): boolean {
  return shownOnly.has(type) || (type === '' && /\.(webp|avif)$/i.test(name))
}

/** The size of a picture in pixels; undefined when the browser cannot show it. Its header is enough: it is not decoded. */
async function measurePicture(file: Blob): Promise<{ width: number; height: number } | undefined> {
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    await new Promise((resolve, reject) => {
      image.onload = resolve
      image.onerror = reject
      image.src = url
    })
    return { width: image.naturalWidth, height: image.naturalHeight }
  } catch {
    return undefined
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Hardly any picture that has too many pixels is smaller than this. */
const leastBytes = 256 * 1024

/** Whether a picture has more pixels than the server reads. What the browser cannot show is left for the server to judge. */
export async function hasTooManyPixels(file: File): Promise<boolean> {
  if (!/^image\/(jpe?g|png)$/.test(file.type) || file.size < leastBytes) return false
  const size = await measurePicture(file)
  return size !== undefined && size.width * size.height > maxPicturePixels
}

/** A picture as a JPEG in the size that photos are kept in. Throws when the browser cannot decode it. */
export async function toSmallerPicture(file: File): Promise<File> {
  return redraw(file, 'image/jpeg')
}

/** A WebP or AVIF picture as a JPEG, or as a PNG where it is see-through. Throws when the browser cannot decode it. */
export async function convertPicture(file: File): Promise<File> {
  return redraw(file, (await isSeeThrough(file)) ? 'image/png' : 'image/jpeg')
}

async function redraw(file: File, type: 'image/jpeg' | 'image/png'): Promise<File> {
  const size = await measurePicture(file)
  if (!size) throw new Error('This picture cannot be read.')
  const { width, height } = photoSize(size)
  const picture = await createImageBitmap(file, { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' })
  const canvas = draw(picture, { width, height })
  picture.close()
  const blob = await canvas.convertToBlob({ type, quality: photoQuality / 100 })
  const name = file.name.replace(/\.\w+$/, '') + (type === 'image/png' ? '.png' : '.jpg')
  return new File([blob], name, { type, lastModified: file.lastModified })
}

function draw(picture: ImageBitmap, { width, height }: { width: number; height: number }): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw pictures.')
  context.drawImage(picture, 0, 0, width, height)
  return canvas
}

/** Looked at in small: a receipt that is see-through is so over more than a pixel. */
async function isSeeThrough(file: File): Promise<boolean> {
  const size = { width: 64, height: 64 }
  const picture = await createImageBitmap(file, { resizeWidth: size.width, resizeHeight: size.height })
  const pixels = draw(picture, size).getContext('2d')?.getImageData(0, 0, size.width, size.height).data ?? []
  picture.close()
  return pixels.some((value, index) => index % 4 === 3 && value < 255)
}
