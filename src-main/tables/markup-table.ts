import { readMarkup } from './statements/markup'
import { UnreadableTable } from './table-reason'

/** A table that is being read: its rows, and the column of the cell that is open. */
interface OpenTable {
  readonly rows: string[][]
  column: number | undefined
}

/** More columns or cells are no statement. */
const mostColumns = 200
const mostCells = 2_000_000
/** What programs draw and style a page with is no text. */
const notText = new Set(['script', 'style', 'xml'])
/** The combining marks of HTML's names for letters, such as `&eacute;`. */
const marks: Readonly<Record<string, string>> = {
  ...{ acute: '\u0301', grave: '\u0300', circ: '\u0302', tilde: '\u0303', uml: '\u0308', cedil: '\u0327', ring: '\u030A', caron: '\u030C' },
}
const letters: Readonly<Record<string, string>> = {
  euro: '€',
  pound: '£',
  szlig: 'ß',
  oslash: 'ø',
  Oslash: 'Ø',
  aelig: 'æ',
  ordm: 'º',
  ordf: 'ª',
}

function spell(text: string): string {
  if (!text.includes('&')) return text
  return text
    .replaceAll(/&([a-z])(acute|grave|circ|tilde|uml|cedil|ring|caron);/gi, (_, letter: string, mark: string) =>
      `${letter}${marks[mark.toLowerCase()] ?? ''}`.normalize('NFC'),
    )
    .replaceAll(/&([a-z]{4,6});/gi, (written, name: string) => letters[name] ?? written)
}

/** The rows of the longest table in an HTML page or an XML spreadsheet of 2003, all of one width; empty if there is none. Throws {@link UnreadableTable} if it is too large. */
export function readMarkupTable(text: Iterable<string>): string[][] {
  const open: OpenTable[] = []
  let longest: readonly string[][] = []
  let hidden: string | undefined
  const close = () => {
    const rows = open.pop()?.rows ?? []
    if (rows.length > longest.length) longest = rows
  }
  for (const token of readMarkup(text)) {
    if (token.kind === 'cut') break
    const table = open.at(-1)
    if (token.kind === 'text') {
      if (hidden === undefined && table) addText(table, spell(token.text))
      continue
    }
    const name = token.name.toLowerCase()
    if (hidden !== undefined || notText.has(name)) {
      hidden = token.kind === 'open' ? (hidden ?? name) : name === hidden ? undefined : hidden
      continue
    }
    if (name === 'table') {
      if (token.kind === 'open') open.push({ rows: [], column: undefined })
      else close()
    } else if (token.kind === 'open' && table) beginPart(table, name, token.attributes)
    else if (table && (name === 'td' || name === 'th' || name === 'cell' || name === 'tr' || name === 'row')) table.column = undefined
  }
  while (open.length > 0) close()
  const width = longest.reduce((most, { length }) => Math.max(most, length), 0)
  if (longest.length * width > mostCells) throw new UnreadableTable([{ code: 'workbook' }])
  return longest.map((row) => [...row, ...Array.from({ length: width - row.length }, () => '')])
}

function beginPart(table: OpenTable, name: string, attributes: string): void {
  if (name === 'tr' || name === 'row') {
    table.rows.push([])
    table.column = undefined
  }
  if (name !== 'td' && name !== 'th' && name !== 'cell') return
  if (table.rows.length === 0) table.rows.push([])
  const row = table.rows.at(-1) ?? []
  const numberOf = (attribute: RegExp) => Math.min(mostColumns, Number(attribute.exec(attributes)?.[1] ?? 0))
  // A spreadsheet leaves empty cells out and counts the next one; a page has one cell over several columns.
  while (row.length < numberOf(/\bIndex\s*=\s*["']?(\d{1,4})/i) - 1) row.push('')
  table.column = row.length < mostColumns ? row.length : undefined
  const end = Math.min(mostColumns, row.length + Math.max(1, numberOf(/\bcolspan\s*=\s*["']?(\d{1,4})/i)))
  while (row.length < end) row.push('')
}

function addText({ rows, column }: OpenTable, text: string): void {
  const row = rows.at(-1)
  if (!row || column === undefined) return
  // A spreadsheet of 2003 writes days with a time.
  const plain = text.replaceAll(/\s+/g, ' ').replace(/^(\d{4}-\d\d-\d\d)T00:00:00[.0]*$/, '$1')
  row[column] = [row[column] ?? '', plain].filter((part) => part !== '').join(' ')
}
