import { type ColumnMap, type MapFile, guessColumnMap } from './column-map'
import { type DetectedValues, detectValues } from './detect-values'
import { type ImportRow, toImportRows } from './import-rows'
import { type Table, type TableProblem, readTable, sampleRows } from './read-table'
import { UnreadableTable } from './table-reason'
import type { TableSource } from './table-source'

/** A file with known format and columns. */
export interface ImportPlan {
  readonly table: Table
  readonly map: ColumnMap
  readonly detected: DetectedValues
  /** Rows and problems in file order; each call reads the file again. */
  readonly rows: () => Iterable<ImportRow | TableProblem>
}

/**
 * Decides how to read a file of expenses; the map file takes precedence. Throws {@link UnreadableTable} if it is empty or not text, if a required
 * column is not recognised, or if amounts or days are ambiguous.
 */
export function planImport(source: TableSource, mapFile: MapFile = {}): ImportPlan {
  const table = readTable(source, mapFile)
  if (table.headers.length === 0) throw new UnreadableTable([{ code: hasLine(table) ? 'not_text' : 'no_rows' }])
  const map = toColumnMap(table, mapFile)
  const detected = detectValues(table, map)
  if (detected.kind === 'undecided') throw new UnreadableTable(detected.problems.map(({ reason, column }) => ({ ...reason, column })))
  return { table, map, detected, rows: () => toImportRows(table, map, detected) }
}

function toColumnMap(table: Table, mapFile: MapFile): ColumnMap {
  const map = guessColumnMap(table.headers, sampleRows(table), mapFile)
  const columns = table.headers.join(', ')
  if (map.kind === 'mapped') {
    const name = table.repeated.find((header) => usesColumn(map, header) && !usesColumn(mapFile, header))
    if (name !== undefined) throw new UnreadableTable([{ code: 'repeated_column', params: { name } }])
    return map
  }
  const missing = map.missing.length === 0 ? [] : [{ code: 'missing_columns', params: { fields: map.missing.join(', '), columns } }]
  const absent = map.absent.length === 0 ? [] : [{ code: 'absent_columns', params: { names: map.absent.join(', '), columns } }]
  throw new UnreadableTable([...missing, ...absent])
}

/** Whether the file has anything unreadable, such as a line without an end. */
function hasLine({ entries }: Table): boolean {
  for (const _ of entries()) return true
  return false
}

function usesColumn({ columns = {} }: Pick<MapFile, 'columns'>, name: string): boolean {
  return JSON.stringify(Object.values(columns)).includes(JSON.stringify(name))
}
