import type { Row } from '#db/schema'
import { type EntryHashes, entryHashes } from '#main/store/audit/seal-format'
import { findLastSeal, listEntriesOfChain, listSeals, withParts } from '#main/store/audit/seal-reader'
import type { Reader } from '#main/store/core/store'

/** The most seals that a replica gets at once. */
const sealsAtOnce = 6

function toShared({ id: _id, head: _head, ...seal }: Row<'audit_seals'>) {
  return seal
}

/**
 * The seals of a chain after one that a replica has seen, with the hashes of their entries, which reveal nothing; only the last seal if it has seen
 * none. Undefined if there are none.
 */
export async function readChain(reader: Reader, organization_id: number, seen: number | undefined) {
  if (seen === undefined) {
    const last = await findLastSeal(reader, organization_id)
    return last && { organization_id, seals: [toShared(last)], entries: [], is_more: false }
  }
  const seals = await listSeals(reader, { organization_id, after: seen - 1, limit: sealsAtOnce })
  const entries: Array<[number, ...EntryHashes]> = []
  for (const [at, { last_id: until, entries: count }] of seals.entries()) {
    const after = seals[at - 1]?.last_id
    if (after === undefined) continue
    const rows = await listEntriesOfChain(reader, { organization_id, after, until, limit: count + 1 })
    for (const proved of await withParts(reader, rows)) entries.push([proved.entry.id, ...entryHashes(proved)])
  }
  return { organization_id, seals: seals.map(toShared), entries, is_more: seals.length === sealsAtOnce }
}
