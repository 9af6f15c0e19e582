import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'

/** The deepest nesting that a body may have: far above what any route takes, far below what ends a call stack. */
const deepest = 200
/** The most names that an object of a body may have: some times what any route takes. An object of a hundred thousand holds up all requests. */
const mostNames = 5_000

/** A body that is no JSON, or one nested deeper, or with more names, than anything the API takes (400). */
export class MalformedJson extends Error {
  readonly statusCode = 400
  readonly code = 'MALFORMED_JSON'
}

/** A body that is packed, or in another charset than UTF-8 (415). */
export class UnknownEncoding extends Error {
  readonly statusCode = 415
}

/** Reads a JSON body in UTF-8; blank text is none. Throws {@link MalformedJson} and {@link UnknownEncoding}. */
export function readJsonBody(headers: IncomingHttpHeaders, bytes: Buffer): unknown {
  if (!isPlainUtf8(headers)) throw new UnknownEncoding()
  if (!isUtf8(bytes)) throw new MalformedJson()
  const text = bytes.toString()
  if (text.trim() === '') return undefined
  if (isTooLarge(text)) throw new MalformedJson()
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedJson()
  }
}

/** Whether a body is nested deeper, or an object of it has more names, than one may; what is inside texts aside. */
function isTooLarge(text: string): boolean {
  /** Of each open object how many names follow others; an array has any number. */
  const names: number[] = []
  let isText = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (isText && character === '\\') index += 1
    else if (character === '"') isText = !isText
    else if (isText) continue
    else if (character === '{') names.push(0)
    else if (character === '[') names.push(-Infinity)
    else if (character === ']' || character === '}') names.pop()
    else if (character === ',') names.push((names.pop() ?? 0) + 1)
    if (names.length > deepest || (names.at(-1) ?? 0) >= mostNames) return true
  }
  return false
}

/** Whether a body comes as it is, in UTF-8: nothing unpacks or recodes it. */
function isPlainUtf8({ 'content-type': type = '', 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type) ?? []
  return /^utf-?8$/i.test(charset) && encoding.trim().toLowerCase() === 'identity'
}
