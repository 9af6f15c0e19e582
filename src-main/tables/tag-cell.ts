import { readRecords } from './records'

/**
 * Tag names as one cell, separated by commas as in expense representations (contract, section 2.3). Names with a comma or quote are quoted like CSV
 * fields, so that the cell can be parsed again.
 */
export function toTagCell(names: readonly string[]): string {
  return names.map((name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(',')
}

/** The tag names in a cell of `toTagCell`, or of another program with another separator, without empty names. */
export function toTagNames(cell: string, separator = ','): string[] {
  return [...readRecords(cell, { delimiter: separator, quote: '"' })]
    .flatMap((record) => (record.kind === 'record' ? record.fields : [cell]))
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
