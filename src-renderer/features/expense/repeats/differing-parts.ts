/** A part of a text. `differs`: another text does not have these words. */
export interface TextPart {
  readonly text: string
  readonly differs: boolean
}

/** A text in parts: words that another text lacks, and the rest; together they are the text. */
export function differingParts(text: string, other: string): TextPart[] {
  const known = new Set(other.split(/\s+/))
  const pieces = text.split(/(\s+)/)
  const isOther = (index: number) => !known.has(pieces[index] ?? '')
  const parts: TextPart[] = []
  for (const [index, piece] of pieces.entries()) {
    // Every second piece is the space between two words.
    const differs = index % 2 === 0 ? isOther(index) : isOther(index - 1) && isOther(index + 1)
    const last = parts.at(-1)
    if (last?.differs === differs) parts[parts.length - 1] = { text: last.text + piece, differs }
    else if (piece !== '') parts.push({ text: piece, differs })
  }
  return parts
}
