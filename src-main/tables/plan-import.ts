import { type ColumnMap, type MapFile, guessColumnMap } from './column-map'
import { type DetectedValues, detectValues } from './detect-values'
import { type ImportRow, toImportRows } from './import-rows'
import { type Table, type TableProblem, readTable, sampleRows } from './read-table'
import { UnreadableTable } from './table-reason'
import type { TableSource } from './table-source'

/** A file whose format and columns are known. */
export interface ImportPlan {
  readonly table: Table
  readonly map: ColumnMap
  readonly detected: DetectedValues
  /** Rows and problems in file order, read from the file again each time. */
  readonly rows: () => Iterable<ImportRow | TableProblem>
}

/**
 * Finds out how a file of expenses is to be read; what the map file states wins. Throws {@link UnreadableTable} where it is empty or
 * not text, where a column that is needed cannot be told, and where amounts or days could be read in two ways.
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

/** Whether there is anything in the file, which then cannot be read: a line without an end, for one. */
function hasLine({ entries }: Table): boolean {
  for (const _ of entries()) return true
  return false
}

function usesColumn({ columns = {} }: Pick<MapFile, 'columns'>, name: string): boolean {
  return JSON.stringify(Object.values(columns)).includes(JSON.stringify(name))
}
