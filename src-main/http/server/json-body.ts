import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'

/** A body's deepest allowed nesting: far above what routes take, far below the call stack's limit. */
const deepest = 200
/** The most names in an object of a body: several times what routes take. An object with a hundred thousand blocks all requests. */
const mostNames = 5_000

/** A body that is not JSON, or exceeds the limits of nesting or names (400). */
export class MalformedJson extends Error {
  readonly statusCode = 400
  readonly code = 'MALFORMED_JSON'
}

/** A compressed body, or one with a charset other than UTF-8 (415). */
export class UnknownEncoding extends Error {
  readonly statusCode = 415
}

/** Parses a JSON body in UTF-8; blank text is null. Throws {@link MalformedJson} and {@link UnknownEncoding}. */
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

/** Whether a body exceeds the limits of nesting or names, ignoring string contents. */
function isTooLarge(text: string): boolean {
  /** For each open object, how many names follow others; arrays are unlimited. */
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

/** Whether a body is plain UTF-8: nothing decompresses or recodes it. */
function isPlainUtf8({ 'content-type': type = '', 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type) ?? []
  return /^utf-?8$/i.test(charset) && encoding.trim().toLowerCase() === 'identity'
}
