import { type LegacyEncoding, guessLegacyEncoding, legacyEncodings } from './legacy-encodings'
import { UnreadableTable } from './table-reason'
import type { TableSource } from './table-source'

const unicodeForms = ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'] as const

/** The encodings a tabular file may have. */
export type Encoding = 'utf-8' | LegacyEncoding | (typeof unicodeForms)[number]

/** The encoding of a label such as `latin1`, `ISO-8859-1`, `utf8`, `UTF-16BE` or `utf-32`; undefined if it is not supported. */
export function findEncoding(label: string): Encoding | undefined {
  const [, bits, order = 'le'] = /^utf[-_ ]?(16|32)[-_ ]?(le|be)?$/i.exec(label.trim()) ?? []
  if (bits !== undefined) return unicodeForms.find((form) => form === `utf-${bits}${order.toLowerCase()}`)
  try {
    const { encoding } = new TextDecoder(label)
    return encoding === 'utf-8' ? encoding : legacyEncodings.find((one) => one === encoding)
  } catch {
    return undefined
  }
}

/**
 * Detects a file's encoding: by its byte order mark; UTF-16 if every other byte of its start is mostly zero; UTF-8 if all of it is valid; otherwise
 * the one in which it reads sensibly. Throws {@link UnreadableTable} if its start cannot be text. `isPage`: a web page is text, too.
 */
export function detectEncoding(source: TableSource, isPage = false): Encoding {
  const [start = new Uint8Array()] = source()
  if (!isPage) refuseOthers(start)
  const marked = byMark(start) ?? withoutMark(start)
  if (marked !== undefined) return marked
  if (start.includes(0)) throw notText()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (const chunk of source()) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return 'utf-8'
  } catch {
    return guessLegacyEncoding(sampleOf(source))
  }
}

/** Lines with bytes beyond ASCII: a page of them says which language it is. */
const enoughBytes = 4_000
function sampleOf(source: TableSource): Uint8Array {
  const sample: number[] = []
  for (const chunk of source()) {
    let from = 0
    for (let at = 0; at <= chunk.length; at += 1) {
      if (at < chunk.length && chunk[at] !== 0x0a && chunk[at] !== 0x0d) continue
      const line = chunk.subarray(from, at)
      if (line.some((byte) => byte > 0x7f)) sample.push(...line.subarray(0, enoughBytes), 0x0a)
      from = at + 1
      if (sample.length > enoughBytes) return Uint8Array.from(sample)
    }
  }
  return Uint8Array.from(sample)
}

function byMark([first, second, third, fourth]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? 'utf-32le' : 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0 && second === 0 && third === 0xfe && fourth === 0xff ? 'utf-32be' : undefined
}

/** In UTF-16, separators, digits and Latin letters have a zero byte, always on the same side. */
function withoutMark(start: Uint8Array): Encoding | undefined {
  const sample = start.subarray(0, 4096)
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const many = sample.length / 5
  if (odd > many && even * 20 < odd) return 'utf-16le'
  return even > many && odd * 20 < even ? 'utf-16be' : undefined
}

/** The text of a file in pieces. Invalid bytes become U+FFFD. Throws {@link UnreadableTable} at a zero character. `isPage`: as above. */
export function* decodeText(source: TableSource, encoding: Encoding, isPage = false): Generator<string> {
  const decode = encoding === 'utf-32le' || encoding === 'utf-32be' ? utf32Decoder(encoding) : decoderOf(encoding)
  let isBegun = false
  for (const chunk of source()) {
    if (!isBegun && !isPage) refuseOthers(chunk)
    isBegun = true
    const text = decode(chunk)
    if (text.includes('\0')) throw notText()
    if (text !== '') yield text
  }
  const rest = decode()
  if (rest !== '') yield rest
}

/** The first bytes of pictures and of PDF. */
const pictures: ReadonlyArray<readonly number[]> = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x25, 0x50, 0x44, 0x46],
  [0x47, 0x49, 0x46, 0x38],
]

/** The first bytes of workbooks: .xlsx, which are archives, and the older .xls. */
const workbooks: ReadonlyArray<readonly number[]> = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]

/** Throws {@link UnreadableTable} for a picture, a PDF, a workbook, and for a web page that a bank calls .xls. */
function refuseOthers(start: Uint8Array): void {
  const begins = (bytes: readonly number[]) => bytes.every((byte, at) => start[at] === byte)
  const isHeic = String.fromCharCode(...start.subarray(4, 8)) === 'ftyp'
  if (pictures.some(begins) || isHeic) throw new UnreadableTable([{ code: 'picture' }])
  if (workbooks.some(begins)) throw new UnreadableTable([{ code: 'workbook' }])
  if (isWebPage(start)) throw new UnreadableTable([{ code: 'web_page' }])
}

/** Whether a file that begins so is a web page or an XML spreadsheet of 2003, which banks call .xls. */
export function isWebPage(start: Uint8Array): boolean {
  const text = String.fromCharCode(...start.subarray(0, 1024).filter((byte) => byte > 0 && byte < 128))
  return /^\s*(<!--[^]*?-->\s*)?<(!doctype html|html|head|body|table|meta|style)\b/i.test(text) || /<(ss:)?Workbook\b/.test(text)
}

function notText(): UnreadableTable {
  return new UnreadableTable([{ code: 'not_text' }])
}

type Decode = (chunk?: Uint8Array) => string

function decoderOf(encoding: string): Decode {
  const decoder = new TextDecoder(encoding)
  return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined })
}

/** Decodes UTF-32, which the Encoding Standard, and so TextDecoder, lacks. */
function utf32Decoder(encoding: 'utf-32le' | 'utf-32be'): Decode {
  const isLittle = encoding === 'utf-32le'
  let left = new Uint8Array()
  let isStart = true
  return (chunk) => {
    if (chunk === undefined) return left.length > 0 ? '\uFFFD' : ''
    const bytes = new Uint8Array(left.length + chunk.length)
    bytes.set(left)
    bytes.set(chunk, left.length)
    const view = new DataView(bytes.buffer)
    const whole = bytes.length - (bytes.length % 4)
    let text = ''
    for (let at = 0; at < whole; at += 4) text += toCharacter(view.getUint32(at, isLittle))
    left = bytes.slice(whole)
    const marked = isStart && text.startsWith('\uFEFF') ? text.slice(1) : text
    isStart = false
    return marked
  }
}

function toCharacter(code: number): string {
  return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\uFFFD' : String.fromCodePoint(code)
}
