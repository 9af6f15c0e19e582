import writeExcelFile, { type CellObject } from 'write-excel-file/node'
import type { Cell, RowSource } from './write-table'

/** A cell of a sheet: as it is, or a number or a moment (UTC) in one of Excel's number formats. */
export type SheetCell = Cell | { readonly value: number | Date; readonly format: string }

/** There are more rows than a sheet of Excel has. */
export class SheetTooLong extends Error {
  constructor() {
    super(`There are more than ${mostRows} rows, the most that a sheet has. Narrow them with --q, or use csv.`)
  }
}

/** The rows of a sheet, its header aside. */
const mostRows = 1_048_575

/**
 * Writes rows as an Excel workbook with one sheet, its header in bold and always in view. Numbers stay numbers and texts stay
 * texts: none of them runs as a formula. All of it is in memory at once, some 7 kB a row of fifteen columns.
 * @throws SheetTooLong
 */
export async function* writeXlsx<Header extends string>(
  rows: RowSource<Readonly<Partial<Record<Header, SheetCell>>>>,
  { headers, sheet }: { headers: readonly Header[]; sheet: string },
): AsyncGenerator<Uint8Array> {
  const data: CellObject[][] = [headers.map((value) => ({ value, fontWeight: 'bold' }))]
  for await (const row of rows) {
    if (data.length > mostRows) throw new SheetTooLong()
    data.push(headers.map((header) => toCellObject(row[header])))
  }
  yield await writeExcelFile(data, { sheet, stickyRowsCount: 1 }).toBuffer()
}

function toCellObject(cell: SheetCell): CellObject {
  if (cell === null || cell === undefined) return {}
  return typeof cell === 'object' ? cell : { value: cell }
}
