import { mapFileSchema } from '#main/tables/column-map'
import type { ImportRow } from '#main/tables/import-rows'
import { planImport } from '#main/tables/plan-import'
import type { TableProblem } from '#main/tables/read-table'
import { wordReason } from '#main/tables/table-reason'
import { bytesSource } from '#main/tables/table-source'

/** A problem with its reason in English. */
export function worded({ reason, ...problem }: TableProblem) {
  return { ...problem, reason: wordReason('en', reason) }
}

/** Reads a file as an import does, from bytes or text to rows and problems. Throws where the file cannot be read. */
export function readImport(source: Uint8Array | string, mapFile: unknown = {}) {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
  const plan = planImport(bytesSource(bytes), mapFileSchema.parse(mapFile))
  const rows: ImportRow[] = []
  const problems: Array<ReturnType<typeof worded>> = []
  for (const entry of plan.rows()) {
    if (entry.kind === 'row') rows.push(entry)
    else problems.push(worded(entry))
  }
  return { rows, problems }
}

/** The chunks of a writer as one text. */
export async function readAll(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}
