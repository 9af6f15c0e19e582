// Spreadsheets skip blanks and zero-width characters, and treat full-width signs as the usual ones.
const FORMULA_START = /^'*(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u
const GUARDED = /^'+(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u
const PLAIN_NUMBER = /^[-+]?\d+([.,]\d+)?(?: ?%)?$/

/**
 * Keeps a spreadsheet from running a cell: text that begins like a formula (= + - @, also full-width or after blanks, tab, line end) gets a leading
 * apostrophe, unless it is a plain number or percentage. Text that already looks guarded gets another one, so that `unguardFormula` restores every
 * text.
 */
export function guardFormula(text: string): string {
  return FORMULA_START.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text
}

/** Removes the apostrophe of `guardFormula`. */
export function unguardFormula(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text
}

/** The decimal sign; with a comma, semicolons separate cells, as spreadsheets then expect. */
export const csvDecimals = ['point', 'comma'] as const
export type CsvDecimal = (typeof csvDecimals)[number]

/** The separator of cells. */
export const csvSeparator = (decimal: CsvDecimal = 'point') => (decimal === 'comma' ? ';' : ',')

/** A cell of a CSV file (RFC 4180) that no spreadsheet runs; an absent value is empty. */
export function toCsvCell(cell: string | number | boolean | null | undefined, decimal: CsvDecimal = 'point'): string {
  if (cell === null || cell === undefined) return ''
  const number = typeof cell === 'number' && decimal === 'comma' ? String(cell).replace('.', ',') : String(cell)
  const text = typeof cell === 'string' ? guardFormula(cell) : number
  return (decimal === 'comma' ? /[";\r\n]|^\s|\s$/ : /[",\r\n]|^\s|\s$/).test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
