import { fileTypeFromBuffer } from 'file-type'
import type { ContentType } from '#shared/domain/content-types'

/** How many bytes from the start of a file are enough for {@link matchesDeclaredType}. */
export const sniffBytes = 4100

/** What file-type calls each declared type; an animated PNG is a PNG. */
const namesOf: Readonly<Record<Exclude<ContentType, 'application/xml' | 'text/xml'>, readonly string[]>> = {
  'image/jpeg': ['image/jpeg'],
  'image/jpg': ['image/jpeg'],
  'image/gif': ['image/gif'],
  'image/png': ['image/png', 'image/apng'],
  'image/tiff': ['image/tiff'],
  'application/pdf': ['application/pdf'],
}

/** Whether a file that begins with these bytes can be what it is declared to be. Supplement, "Attachments and uploads". */
export async function matchesDeclaredType(firstBytes: Uint8Array, contentType: ContentType): Promise<boolean> {
  if (contentType === 'application/xml' || contentType === 'text/xml') return beginsLikeXml(firstBytes)
  const found = await fileTypeFromBuffer(firstBytes)
  if (found === undefined) return contentType === 'image/tiff' && beginsLikeTiff(firstBytes)
  return namesOf[contentType].includes(found.mime)
}

/** A TIFF's directory, by which file-type knows it, may stand at its end: most programs write it there. */
function beginsLikeTiff(firstBytes: Uint8Array): boolean {
  return /^(II[*+]\0|MM\0[*+])/.test(new TextDecoder('latin1').decode(firstBytes.subarray(0, 4)))
}

/** Markup, and not HTML, which a browser would run whatever it was declared to be. */
function beginsLikeXml(firstBytes: Uint8Array): boolean {
  const start = new TextDecoder(encodingByMark(firstBytes)).decode(firstBytes).trimStart()
  return /^<[?!:_\p{L}]/u.test(start) && !/^<(!doctype\s+)?html[\s/>]/i.test(start)
}

/** The encoding that a byte order mark tells; without one, something that reads ASCII as ASCII. */
function encodingByMark(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}
