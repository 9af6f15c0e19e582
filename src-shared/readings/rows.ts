import type { PlaceOnPage } from '#shared/readings/reading'
import type { TextLine } from '#shared/readings/text-line'

/** A row of a receipt: the lines on one level, from left to right. `y`: 0 at the top of its page, 1 at the bottom. */
export interface TextRow {
  readonly lines: readonly TextLine[]
  readonly page: number
  readonly y: number
  /** The height of its letters, relative to the page's usual height. */
  readonly size: number
  readonly text: string
}

/** The most lines, characters per line, and pieces per row of a receipt; of longer texts the beginning and end are read. */
const most = { lines: 1_000, characters: 500, inRow: 40 }

/** Groups lines of text into rows, from the top of the first page. */
export function toRows(lines: readonly TextLine[]): TextRow[] {
  const half = most.lines / 2
  const read = lines.length > most.lines ? [...lines.slice(0, half), ...lines.slice(-half)] : lines
  const pages = Map.groupBy(
    read.map((line) => ({ ...line, text: toPlainSigns(line.text.slice(0, most.characters)) })),
    ({ place }) => place.page,
  )
  return [...pages].toSorted(([a], [b]) => a - b).flatMap(([page, own]) => rowsOfPage(own, page))
}

function rowsOfPage(lines: readonly TextLine[], page: number): TextRow[] {
  const heights = lines.map(({ level }) => level.height).sort((a, b) => a - b)
  const usual = heights[Math.floor(heights.length / 2)] ?? 1
  const middle = ({ level }: TextLine) => level.y + level.height / 2
  const rows: TextLine[][] = []
  for (const line of lines.toSorted((a, b) => middle(a) - middle(b))) {
    const row = rows.at(-1)
    const isSame = row?.some((other) => {
      const apart = Math.abs(middle(other) - middle(line))
      const overlap = Math.min(other.level.x + other.level.width, line.level.x + line.level.width) - Math.max(other.level.x, line.level.x)
      return apart < 0.5 * Math.min(other.level.height, line.level.height) && overlap < 0.3 * Math.min(other.level.width, line.level.width)
    })
    if (row && isSame && row.length < most.inRow) row.push(line)
    else rows.push([line])
  }
  return rows.map((unordered) => {
    const inRow = unordered.toSorted((a, b) => a.level.x - b.level.x)
    const height = Math.max(...inRow.map(({ level }) => level.height))
    return {
      lines: inRow,
      page,
      y: inRow.reduce((sum, line) => sum + middle(line), 0) / inRow.length,
      size: height / usual,
      text: inRow.map(({ text }) => text).join('  '),
    }
  })
}

/** A part of a line in a row, with the text to its left. */
export interface Part {
  readonly row: number
  readonly line: TextLine
  /** The index of its first character in the line's text. */
  readonly from: number
  readonly to: number
  /** All text of the row before it. */
  readonly before: string
  readonly after: string
}

/** The parts of rows that match a pattern, which must be global. */
export function* findParts(rows: readonly TextRow[], pattern: RegExp): Generator<Part & { readonly match: RegExpMatchArray }> {
  for (const [row, { lines }] of rows.entries())
    for (const [at, line] of lines.entries())
      for (const match of line.text.matchAll(pattern)) {
        const [from, to] = [match.index, match.index + match[0].length]
        const left = lines.slice(0, at).map(({ text }) => text)
        const right = lines.slice(at + 1).map(({ text }) => text)
        yield {
          ...{ row, line, from, to, match },
          before: [...left, line.text.slice(0, from)].join('  '),
          after: [line.text.slice(to), ...right].join('  '),
        }
      }
}

/** The lowest confidence of a part's characters, 0 to 1. */
export function weakestOf({ line, from, to }: Pick<Part, 'line' | 'from' | 'to'>): number {
  return Math.min(1, ...(line.sure ?? []).slice(from, to).filter((_, at) => line.text[from + at] !== ' '))
}

/** The place of a part on its page. */
export function placeOf({ line, from, to }: Pick<Part, 'line' | 'from' | 'to'>): PlaceOnPage {
  const { place, starts, text } = line
  const share = (at: number) => starts[at] ?? (at >= text.length ? 1 : at / Math.max(1, text.length))
  // A leaning line stays whole: only its box is known.
  const [left, right] = [share(from), share(to)]
  return { ...place, x: place.x + left * place.width, width: Math.max(0.005, (right - left) * place.width) }
}

/** The right end of a part on the straightened page, from 0 (left) to 1. */
export function rightOf({ line, to }: Pick<Part, 'line' | 'to'>): number {
  const { level, starts, text } = line
  return level.x + level.width * (to >= text.length ? 1 : (starts[to] ?? 1))
}

const plainSigns: Readonly<Record<string, string>> = {
  '٫': '.',
  '٬': ',',
  '’': "'",
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u2009': ' ',
  '−': '-',
  '–': '-',
}

/** The text with the digits and punctuation of ASCII, as long as before: Arabic, Indian and wide digits, and spaces that do not break. */
function toPlainSigns(text: string): string {
  return text.replaceAll(/[٫٬’\u00a0\u2009\u202f−–]|[\uff01-\uff5e\uffe5]|[٠-٩۰-۹०-९]/g, (sign) => {
    const code = sign.charCodeAt(0)
    return (
      plainSigns[sign] ??
      (code > 0xff00 ? sign.normalize('NFKC') : String((code - (code < 0x900 ? (code < 0x6f0 ? 0x660 : 0x6f0) : 0x966)) % 10))
    )
  })
}

const plainLetters: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', ı: 'i', æ: 'ae', œ: 'oe' }

/** The letters of a text in lower case without accents: engines lose spaces, and read O as 0 and l as 1 inside words. */
export function squeeze(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/(?<=[a-z])0|0(?=[a-z])/g, 'o')
    .replaceAll(/(?<=[a-z])1/g, 'l')
    .replaceAll(/[ßøłđıæœ]/g, (letter) => plainLetters[letter] ?? '')
    .replaceAll(/[^\p{L}%$€£]/gu, '')
}
