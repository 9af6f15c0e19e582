import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'

/** The deepest nesting that a body may have: far above what any route takes, far below what ends a call stack. */
const deepest = 200

/** A body that is no JSON, or one nested deeper than anything the API takes (400). */
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
  if (isTooDeep(text)) throw new MalformedJson()
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedJson()
  }
}

/** Whether brackets, those inside texts aside, open deeper than a body may be nested. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let isText = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (isText && character === '\\') index += 1
    else if (character === '"') isText = !isText
    else if (isText) continue
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > deepest) return true
  }
  return false
}

/** Whether a body comes as it is, in UTF-8: nothing unpacks or recodes it. */
function isPlainUtf8({ 'content-type': type = '', 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): boolean {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type) ?? []
  return /^utf-?8$/i.test(charset) && encoding.trim().toLowerCase() === 'identity'
}
