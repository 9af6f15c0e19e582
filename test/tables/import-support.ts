import { guessColumnMap, mapFileSchema } from '#main/tables/column-map'
import { detectValues } from '#main/tables/detect-values'
import { toImportRows } from '#main/tables/import-rows'
import type { ImportRow } from '#main/tables/import-rows'
import { readTable, sampleRows } from '#main/tables/read-table'
import type { TableProblem } from '#main/tables/read-table'

/** Reads a file as an import does, from bytes or text to rows and problems. Throws where a file has no map. */
export function readImport(source: Uint8Array | string, mapFile: unknown = {}): { rows: ImportRow[]; problems: TableProblem[] } {
  const stated = mapFileSchema.parse(mapFile)
  const table = readTable(typeof source === 'string' ? new TextEncoder().encode(source) : source, stated)
  const map = guessColumnMap(table.headers, sampleRows(table), stated)
  if (map.kind === 'unmapped') throw new Error(`unmapped: ${[...map.missing, ...map.absent].join(', ')}`)
  const detected = detectValues(table, map)
  if (detected.kind === 'undecided') return { rows: [], problems: detected.problems }
  const rows: ImportRow[] = []
  const problems: TableProblem[] = []
  for (const entry of toImportRows(table, map, detected)) {
    if (entry.kind === 'row') rows.push(entry)
    else problems.push(entry)
  }
  return { rows, problems }
}

/** The chunks of a writer as one text. */
export async function readAll(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}
