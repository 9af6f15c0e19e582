import { readRecords } from './records'

/**
 * Tag names as one cell, separated by commas as in the expense representation (contract, section 2.3). A name
 * that itself has a comma or a quote is quoted as a CSV field is, so that the cell can be read back.
 */
export function toTagCell(names: readonly string[]): string {
  return names.map((name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',')
}

/** The tag names in a cell written by `toTagCell`, or by anyone with another separator. Empty names are left out. */
export function toTagNames(cell: string, separator = ','): string[] {
  return [...readRecords(cell, { delimiter: separator, quote: '"' })]
    .flatMap((record) => (record.kind === 'record' ? record.fields : [cell]))
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
