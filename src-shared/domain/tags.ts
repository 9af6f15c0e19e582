/** The longest tag name, in characters. */
export const maxTagName = 255

/** Tag names in a request: an array is taken literally; a text is split once names with commas are known. */
export type TagNames = string | readonly string[]

/** Tag names from an array, each verbatim: trimmed, without blanks, each once in its first spelling. Supplement 1, "`tags` in requests". */
export function parseTagNames(names: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const name of names.map((text) => text.trim())) {
    const key = tagKey(name)
    if (name !== '' && !byKey.has(key)) byKey.set(key, name)
  }
  return [...byKey.values()]
}

/**
 * Splits a comma-separated text into tag names. Names may have commas, and representations write all as one text: pieces that form the name of an
 * existing tag stay together, longest name first, so that a text sent back keeps its meaning. `isKnown`: whether a key (`tagKey`) with a comma
 * belongs to an existing tag.
 */
export function splitTagNames(text: string, isKnown: (key: string) => boolean): string[] {
  const pieces = text.split(',')
  const names: string[] = []
  for (let start = 0; start < pieces.length;) {
    const joined = joinPieces(pieces.slice(start), isKnown)
    names.push(joined?.name ?? pieces[start] ?? '')
    start += joined?.length ?? 1
  }
  return parseTagNames(names)
}

/** The longest known name at the start of these pieces, as written or with one space after each comma. */
function joinPieces(pieces: readonly string[], isKnown: (key: string) => boolean): { name: string; length: number } | undefined {
  for (let length = longestRun(pieces); length >= 2; length -= 1) {
    const run = pieces.slice(0, length)
    const spellings = [run.join(',').trim(), run.map((piece) => piece.trim()).join(', ')]
    const name = spellings.find((spelling) => isKnown(tagKey(spelling)))
    if (name !== undefined) return { name, length }
  }
  return undefined
}

/** The most pieces that a name can have, by the maximum length of names. */
function longestRun(pieces: readonly string[]): number {
  let characters = 0
  const end = pieces.findIndex((piece) => (characters += piece.trim().length + 1) > maxTagName + 1)
  return end === -1 ? pieces.length : end
}

/** The key by which two tag names are equal in an organization: ignores case and Unicode composition. Supplement 2, "Tags". */
export function tagKey(name: string): string {
  return name.toLowerCase().normalize('NFC')
}
