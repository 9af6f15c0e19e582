import { open } from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'
import { type CapturableType, mailType } from '#shared/domain/captures'
import { type ContentType, isAllowedContentType } from '#shared/domain/content-types'

/** How many bytes from the start of a file identify its type. */
const sniffBytes = 4100

/** file-type's names of each declared type; an animated PNG counts as PNG. */
const namesOf: Readonly<Record<Exclude<ContentType, 'application/xml' | 'text/xml'>, readonly string[]>> = {
  'image/jpeg': ['image/jpeg'],
  'image/jpg': ['image/jpeg'],
  'image/gif': ['image/gif'],
  'image/png': ['image/png', 'image/apng'],
  'image/tiff': ['image/tiff'],
  'application/pdf': ['application/pdf'],
}

/** Whether a file that begins with these bytes can have its declared type. Supplement, "Attachments and uploads". */
export async function matchesDeclaredType(firstBytes: Uint8Array, contentType: ContentType): Promise<boolean> {
  if (contentType === 'application/xml' || contentType === 'text/xml') return beginsLikeXml(firstBytes)
  const found = await fileTypeFromBuffer(firstBytes)
  if (found === undefined) return contentType === 'image/tiff' && beginsLikeTiff(firstBytes)
  return namesOf[contentType].includes(found.mime)
}

/** The start of a file, long enough to identify its type. */
export async function readStart(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(sniffBytes), 0, sniffBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Whether a file is an SQLite database, such as a snapshot. */
export async function isDatabaseFile(path: string): Promise<boolean> {
  return (await fileTypeFromBuffer(await readStart(path)))?.mime === 'application/x-sqlite3'
}

/** The type of a file by its first bytes, whatever its declared type; undefined if it cannot be captured. */
export async function detectType(firstBytes: Uint8Array, file_name: string): Promise<CapturableType | undefined> {
  const mime = (await fileTypeFromBuffer(firstBytes))?.mime ?? ''
  if (isAllowedContentType(mime)) return mime
  if (mime === 'image/apng') return 'image/png'
  if (/^image\/hei[cf]$/.test(mime)) return 'image/heic'
  if (mime === 'image/webp' || mime === 'image/avif') return mime
  if (beginsLikeTiff(firstBytes)) return 'image/tiff'
  // Mail is plain text: only its file name identifies it.
  if (mime === '' && /\.eml$/i.test(file_name)) return mailType
  // A leading tag does not identify XML either: a fragment of HTML has one, too.
  const isCalledXml = /\.xml$/i.test(file_name) || /^\s*<\?xml\s/.test(textOf(firstBytes))
  return isCalledXml && beginsLikeXml(firstBytes) ? 'application/xml' : undefined
}

/** Recognizes a TIFF whose directory is at its end, where most programs write it and file-type does not look. */
function beginsLikeTiff(firstBytes: Uint8Array): boolean {
  return /^(II[*+]\0|MM\0[*+])/.test(new TextDecoder('latin1').decode(firstBytes.subarray(0, 4)))
}

/** Whether a file is markup other than HTML, which a browser would run despite its declared type. */
function beginsLikeXml(firstBytes: Uint8Array): boolean {
  const start = textOf(firstBytes).trimStart()
  return /^<[?!:_\p{L}]/u.test(start) && !/^<(!doctype\s+)?html[\s/>]/i.test(start)
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder(encodingByMark(bytes)).decode(bytes)
}

/** The encoding by byte order mark; without one, an encoding that keeps ASCII. */
function encodingByMark(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}
