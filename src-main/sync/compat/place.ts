import { replaceAt } from '#shared/sync/references'
import type { JournalEntry } from '#main/store/sync/sync-journal'
import { findByUid } from '#main/store/sync/sync-operations'
import type { PlainExchange } from './reading'
import { findLocation } from './state'

/** An operation with the remote's ids and addresses, or why it cannot be sent yet. */
export type Placed =
  | { readonly kind: 'placed'; readonly path: string; readonly body: unknown }
  | { readonly kind: 'blocked'; readonly missing_blobs: ReadonlyArray<{ sha256: string }> }

/** Replaces local ids with the remote's. A record without a remote id cannot be named there yet. */
export async function place({ store, clock, url }: PlainExchange, row: JournalEntry): Promise<Placed> {
  const values: Array<{ at: string; value: unknown }> = []
  for (const { at, table, uid } of row.refs) {
    const record = await findByUid(store.reader, table, uid)
    if (!record || record.id < 0) return { kind: 'blocked', missing_blobs: [] }
    values.push({ at, value: record.id })
  }
  const missing_blobs: Array<{ sha256: string }> = []
  for (const { at, ...file } of row.blobs) {
    const location = await findLocation(store.reader, { url, ...file }, clock.now())
    if (location === undefined) missing_blobs.push(file)
    else values.push({ at, value: location })
  }
  if (missing_blobs.length > 0) return { kind: 'blocked', missing_blobs }
  return { kind: 'placed', ...replaceAt(row, values) }
}
