import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Row } from '#db/schema'
import { type LeftOut, leftOut } from '#shared/contract/instance/exports'
import type { Reader, Tx } from '#main/store/core/store'
import { findHandover, insertHandover } from '#main/store/records/handovers/handovers'
import type { ExportRecord } from '../exports/export-record'
import { type WrittenExport, handedPathOf } from '../exports/run-export'
import type { HandoverTask } from './handover-task'

/** Rows stored at a time: the thread is free in between. */
const rowsAtATime = 500

/** What a recorded handover left out; null if it was not stored. */
export function leftOutOf(handover: Pick<Row<'handovers'>, 'left_out'>): LeftOut | null {
  return handover.left_out === null ? null : leftOut.parse(JSON.parse(handover.left_out))
}

/** The stored facts of a file that is recorded as handed over; undefined before. */
export async function findWritten(reader: Reader, key: { organization_id: number; uid: string }): Promise<WrittenExport | undefined> {
  const handover = await findHandover(reader, key)
  if (!handover) return undefined
  const { row_count, bytes, sha256 } = handover
  return { done: row_count, total: row_count, left_out: leftOutOf(handover) ?? [], bytes, sha256 }
}

/** Records a complete file as handed over, with its rows, once; in the caller's transaction. */
export async function recordHandover(
  tx: Tx,
  { id: uid, user_id, format, asked, file_name, handover }: ExportRecord & { handover: HandoverTask },
  { path, sha256, bytes, done: row_count, left_out, trail_end = null }: WrittenExport & { path: string },
): Promise<void> {
  const { organization_id, corrects } = handover
  if (await findHandover(tx, { organization_id, uid })) return
  const corrected = corrects === null ? undefined : await findHandover(tx, { organization_id, uid: corrects })
  const what = {
    format,
    title: asked.title ?? null,
    asked: JSON.stringify(asked),
    file_name,
    sha256,
    bytes,
    row_count,
    trail_end,
    left_out: JSON.stringify(left_out),
  }
  await insertHandover(tx, { uid, organization_id, user_id, corrects_id: corrected?.id ?? null, ...what }, readRows(path))
}

/** The rows of a file as JSON arrays, in batches. */
async function* readRows(path: string): AsyncGenerator<string> {
  let some: string[] = []
  for await (const line of createInterface({ input: createReadStream(handedPathOf(path)) })) {
    some.push(line)
    if (some.length < rowsAtATime) continue
    yield `[${some.join(',')}]`
    some = []
  }
  if (some.length > 0) yield `[${some.join(',')}]`
}
