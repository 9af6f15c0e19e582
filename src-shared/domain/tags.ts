/** The longest tag name, in characters. */
export const maxTagName = 255

/** Tag names of a request: an array is read literally; a text is split once the names with commas are known. */
export type TagNames = string | readonly string[]

/**
 * The tag names of an array, each taken verbatim: trimmed, blanks dropped, each name once with its first spelling. Supplement 1,
 * "`tags` in requests".
 */
export function parseTagNames(names: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const name of names.map((text) => text.trim())) {
    const key = tagKey(name)
    if (name !== '' && !byKey.has(key)) byKey.set(key, name)
  }
  return [...byKey.values()]
}

/**
 * The tag names of one comma-separated text. Names may have commas themselves, and representations write all of them as one
 * text: pieces that form the name of an existing tag stay together, the longest such name first, so that a text sent
 * back keeps its meaning. `isKnown` says whether a key (`tagKey`) with a comma is an existing tag's.
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

/** The longest known name at the start of these pieces, as written or with one space after each of its commas. */
function joinPieces(pieces: readonly string[], isKnown: (key: string) => boolean): { name: string; length: number } | undefined {
  for (let length = longestRun(pieces); length >= 2; length -= 1) {
    const run = pieces.slice(0, length)
    const spellings = [run.join(',').trim(), run.map((piece) => piece.trim()).join(', ')]
    const name = spellings.find((spelling) => isKnown(tagKey(spelling)))
    if (name !== undefined) return { name, length }
  }
  return undefined
}

/** How many pieces a name can have at most, by the longest name there can be. */
function longestRun(pieces: readonly string[]): number {
  let characters = 0
  const end = pieces.findIndex((piece) => (characters += piece.trim().length + 1) > maxTagName + 1)
  return end === -1 ? pieces.length : end
}

/** What makes two tag names the same in one organization: letters, not their case or Unicode composition. Supplement 2, "Tags". */
export function tagKey(name: string): string {
  return name.toLowerCase().normalize('NFC')
}
