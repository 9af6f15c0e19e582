// Programs pass over blanks and signs without a width, and take full-width signs for the others.
const FORMULA_START = /^'*(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u
const GUARDED = /^'+(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u
const PLAIN_NUMBER = /^[-+]?\d+([.,]\d+)?(?: ?%)?$/

/**
 * Keeps a spreadsheet from running a cell: text that starts as a formula does (= + - @ also in full width or after blanks, tab, line end)
 * gets a leading apostrophe, unless it is a plain number or percentage. Text that already looks guarded gets one more, so
 * that `unguardFormula` gives every text back.
 */
export function guardFormula(text: string): string {
  return FORMULA_START.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text
}

/** Takes off the apostrophe that `guardFormula` put on. */
export function unguardFormula(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text
}

/** Which sign is between whole and decimals; where it is the comma, semicolons separate the cells, as spreadsheets expect them then. */
export const csvDecimals = ['point', 'comma'] as const
export type CsvDecimal = (typeof csvDecimals)[number]

/** What separates the cells of a line. */
export const csvSeparator = (decimal: CsvDecimal = 'point') => (decimal === 'comma' ? ';' : ',')

/** A cell of a CSV file (RFC 4180) that no spreadsheet runs; an absent value is empty. */
export function toCsvCell(cell: string | number | boolean | null | undefined, decimal: CsvDecimal = 'point'): string {
  if (cell === null || cell === undefined) return ''
  const number = typeof cell === 'number' && decimal === 'comma' ? String(cell).replace('.', ',') : String(cell)
  const text = typeof cell === 'string' ? guardFormula(cell) : number
  return (decimal === 'comma' ? /[";\r\n]|^\s|\s$/ : /[",\r\n]|^\s|\s$/).test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
