import { open } from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'
import { type CapturableType, mailType } from '#shared/domain/captures'
import { type ContentType, isAllowedContentType } from '#shared/domain/content-types'

/** How many bytes from the start of a file tell its type. */
const sniffBytes = 4100

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

/** The start of a file, as much as is needed to tell its type. */
export async function readStart(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(sniffBytes), 0, sniffBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Whether a file is an SQLite database, as a snapshot is. */
export async function isDatabaseFile(path: string): Promise<boolean> {
  return (await fileTypeFromBuffer(await readStart(path)))?.mime === 'application/x-sqlite3'
}

/** What a file that begins with these bytes is, whatever anyone calls it; undefined: nothing that can be captured. */
export async function detectType(firstBytes: Uint8Array, file_name: string): Promise<CapturableType | undefined> {
  const mime = (await fileTypeFromBuffer(firstBytes))?.mime ?? ''
  if (isAllowedContentType(mime)) return mime
  if (mime === 'image/apng') return 'image/png'
  if (/^image\/hei[cf]$/.test(mime)) return 'image/heic'
  if (mime === 'image/webp' || mime === 'image/avif') return mime
  if (beginsLikeTiff(firstBytes)) return 'image/tiff'
  // Mail is text like any other: only its file name identifies it.
  if (mime === '' && /\.eml$/i.test(file_name)) return mailType
  // So is what begins with a tag: a piece of a page does too.
  const isCalledXml = /\.xml$/i.test(file_name) || /^\s*<\?xml\s/.test(textOf(firstBytes))
  return isCalledXml && beginsLikeXml(firstBytes) ? 'application/xml' : undefined
}

/** A TIFF's directory, by which file-type recognizes it, may be at its end: most programs write it there. */
function beginsLikeTiff(firstBytes: Uint8Array): boolean {
  return /^(II[*+]\0|MM\0[*+])/.test(new TextDecoder('latin1').decode(firstBytes.subarray(0, 4)))
}

/** Markup, and not HTML, which a browser would run whatever it was declared to be. */
function beginsLikeXml(firstBytes: Uint8Array): boolean {
  const start = textOf(firstBytes).trimStart()
  return /^<[?!:_\p{L}]/u.test(start) && !/^<(!doctype\s+)?html[\s/>]/i.test(start)
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder(encodingByMark(bytes)).decode(bytes)
}

/** The encoding given by a byte order mark; without one, an encoding that reads ASCII as ASCII. */
function encodingByMark(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}
