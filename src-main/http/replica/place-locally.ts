import { replaceAt } from '#shared/sync/references'
import type { JournalEntry } from '#main/store/sync-journal'
import { findByUid } from '#main/store/sync-operations'
import type { Reader } from '#main/store/store'

/** A journalled write with the ids that records have here now; undefined where one of them is not here. */
export async function placeLocally(
  reader: Reader,
  { path, body, refs }: JournalEntry,
): Promise<{ path: string; body: unknown } | undefined> {
  const values: Array<{ at: string; value: number }> = []
  for (const { at, table, uid } of refs) {
    const record = await findByUid(reader, table, uid)
    if (!record) return undefined
    values.push({ at, value: record.id })
  }
  return replaceAt({ path, body }, values)
}
