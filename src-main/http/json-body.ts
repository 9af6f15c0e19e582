/** The deepest nesting that a body may have: far above what any route takes, far below what ends a call stack. */
const deepest = 200

/** A body that is no JSON, or one nested deeper than anything the API takes (400). */
export class MalformedJson extends Error {
  readonly statusCode = 400
  readonly code = 'MALFORMED_JSON'
}

/** Reads a JSON body; blank text is none. Throws {@link MalformedJson}. */
export function parseJsonBody(text: string): unknown {
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
