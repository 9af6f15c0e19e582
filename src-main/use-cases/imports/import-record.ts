import { z } from 'zod'
import { importRepresentation } from '#shared/contract/imports'
import type { ReadableFile } from '#main/files/shelf'

/** Reports about a whole file are stored by code: each reader has their own language. */
const reasons = z.array(
  z.object({ key: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])).optional(), column: z.string().nullish() }),
)

/** Reads what was written down. */
export const importRecord = importRepresentation
  .omit({ message: true, done: true })
  // Imports that an earlier version finished have no end.
  .extend({
    reasons,
    finished_at: importRepresentation.shape.finished_at.default(null),
    /** Who had it read or imported last; that of an earlier version is who uploaded it. */
    actor: z.object({ user_id: z.int(), request_id: z.string().nullable() }).optional(),
  })

/** What is written down of an import. */
export type ImportRecord = z.infer<typeof importRecord>

/** The reports line by line, in separate files: there may be as many lines as the table has rows. */
export type LineKind = 'problems' | 'changes'

/** The names of the files of an import, in its folder. */
export const tableName = 'table'
export const linesName = (kind: LineKind): string => `${kind}.jsonl`

/** How many lines are read at a time. */
const pageLines = 100
const readBytes = 64 * 1024

/** Lines of a file from a place on, and where the next ones begin; null: these are the last. */
export async function readLines(file: ReadableFile | undefined, from: number): Promise<{ lines: unknown[]; next: number | null }> {
  const none = { lines: [], next: null }
  if (file === undefined || from >= file.bytes || !(await beginsLine(file, from))) return none
  let bytes = Buffer.alloc(0)
  for (;;) {
    const start = from + bytes.length
    const chunk = start < file.bytes ? await readSpan(file, { start, end: Math.min(start + readBytes, file.bytes) - 1 }) : Buffer.alloc(0)
    bytes = Buffer.concat([bytes, chunk])
    const ends = lineEnds(bytes)
    const end = ends.at(-1)
    if (chunk.length > 0 && ends.length < pageLines) continue
    if (end === undefined) return none
    const lines = bytes.toString('utf8', 0, end).trimEnd().split('\n')
    return { lines: lines.map((line): unknown => JSON.parse(line)), next: from + end < file.bytes ? from + end : null }
  }
}

async function readSpan(file: ReadableFile, span: { start: number; end: number }): Promise<Buffer> {
  return Buffer.concat(await file.read(span).toArray())
}

/** Whether a line begins at this place. */
async function beginsLine(file: ReadableFile, at: number): Promise<boolean> {
  return at === 0 || (await readSpan(file, { start: at - 1, end: at - 1 }))[0] === 10
}

/** Where the first lines end, behind their line breaks; no more than a page of them. */
function lineEnds(bytes: Buffer): number[] {
  const ends: number[] = []
  for (let at = bytes.indexOf(10); at !== -1 && ends.length < pageLines; at = bytes.indexOf(10, at + 1)) ends.push(at + 1)
  return ends
}
