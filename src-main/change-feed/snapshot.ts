import { z } from 'zod'
import type { TablePart } from '#shared/contract/sync'
import { invalid } from '#shared/domain/errors'
import { readRecordsAfter, readTrailAfter, sumRecords } from '#main/store/sync/feed-reader'
import { readReferences } from '#main/store/records/referenced-records'
import type { Audience } from '#main/store/sync/audience'
import { sharedRecords } from '#main/store/sync/shared-records'
import type { Reader } from '#main/store/core/store'
import { cursorAtEnd, writeCursor } from './cursor'

/** Where a page begins: in which table, after which id. The audit trail follows the tables. */
const placeShape = z.tuple([z.int().nonnegative(), z.int()])

/** Entries of the trail are short: this many are as long as a record. */
const entriesPerRecord = 5

export interface SnapshotPage {
  readonly scopes: string[]
  readonly tables: TablePart[]
  readonly cursor: string
  readonly seq: number
  readonly next: string | null
  readonly total: number
}

function readPlace(text: string | undefined): [table: number, after: number] {
  if (text === undefined) return [0, 0]
  try {
    return placeShape.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  } catch {
    throw invalid('next', 'invalid')
  }
}

/**
 * One page of everything that the audience may see, by table and id. Pages show different moments; the reader then follows changes from the first
 * page's cursor, which repeat what changed meanwhile.
 */
export async function readSnapshot(
  reader: Reader,
  { next, limit, audience, epoch }: { next: string | undefined; limit: number; audience: Audience; epoch: string },
): Promise<SnapshotPage> {
  const cursor = await cursorAtEnd(reader, epoch)
  let [index, after] = readPlace(next)
  let room = limit
  const tables: TablePart[] = []
  while (room > 0 && index < sharedRecords.length) {
    const record = sharedRecords[index]
    if (!record) break
    const { record_ids, parts } = await readRecordsAfter(reader, record, { after, limit: room, audience })
    tables.push(...parts)
    room -= record_ids.length
    if (room > 0) [index, after] = [index + 1, 0]
    else after = record_ids.at(-1) ?? after
  }
  let isDone = false
  if (room > 0) {
    room *= entriesPerRecord
    const trail = await readTrailAfter(reader, { after, limit: room, audience })
    tables.push(...trail)
    const rows = trail[0]?.rows ?? []
    isDone = rows.length < room
    const idColumn = trail[0]?.columns.indexOf('id') ?? 0
    after = Number(rows.at(-1)?.[idColumn] ?? after)
  }
  // Before any await, so that they show the same moment as the rows.
  const references = await readReferences(reader, tables, audience)
  const total = next === undefined ? (await sumRecords(reader, audience)).tables.reduce((sum, { count }) => sum + count, 0) : 0
  return {
    scopes: [...audience.scopes],
    tables: [...references, ...tables],
    cursor: writeCursor(cursor),
    seq: cursor.seq,
    next: isDone ? null : Buffer.from(JSON.stringify([index, after])).toString('base64url'),
    total,
  }
}
