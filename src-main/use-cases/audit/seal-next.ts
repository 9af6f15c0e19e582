import { setImmediate as afterOthers } from 'node:timers/promises'
import type { Row } from '#db/schema'
import type { Clock } from '#main/clock'
import {
  type EntryHashes,
  type ProvedEntry,
  type SealFacts,
  detailsHash,
  entryHashes,
  headOf,
  isPersonal,
  noHead,
  rootOf,
  statementOf,
} from '#main/store/audit/seal-format'
import { findLastSeal, findLastSealed, findNamedFiles, listEarlyParts, listEntriesAfter } from '#main/store/audit/seal-reader'
import { insertSeal } from '#main/store/audit/seal-writer'
import type { Reader, Store } from '#main/store/core/store'
import type { AuditKey } from './audit-key'

/** The most entries that one round seals. */
export const sealedAtOnce = 200

const sealer = { user_id: 0, origin: 'system', request_id: null, if_match: null } as const

type Part = Row<'audit_parts'>

type Waiting = { entries: ReadonlyArray<Row<'activities'>>; early: ReadonlyMap<number, Part> }

/** What the seal keeps about each entry that names a file or person. `early`: parts of entries that were erased before they were sealed. */
async function makeParts(reader: Reader, { entries, early }: Waiting, clock: Clock): Promise<ProvedEntry[]> {
  const files = await findNamedFiles(reader, entries)
  return entries.map((entry) => {
    const erased = early.get(entry.id)
    if (erased) return { entry, part: erased }
    const sha256 = files.get(entry.id) ?? null
    const salt = isPersonal(entry) ? clock.secret(16) : null
    const details_hash = salt === null ? null : detailsHash(entry.details, salt)
    return { entry, part: sha256 === null && salt === null ? undefined : { sha256, salt, details_hash } }
  })
}

/** The entries to hash before other work gets a turn: about two milliseconds. */
const hashedATurn = 50

async function hashInTurns(entries: readonly ProvedEntry[]): Promise<EntryHashes[]> {
  const hashes: EntryHashes[] = []
  for (const entry of entries) {
    hashes.push(entryHashes(entry))
    if (hashes.length % hashedATurn === 0) await afterOthers()
  }
  return hashes
}

/**
 * Seals the next entries of the trail, with one seal per chain. It reads only committed entries, and ids follow the order of commits, so no sealed
 * entry can vanish and none can be inserted before it. Resolves to the number of sealed entries.
 */
export async function sealNext(store: Store, { key, clock }: { key: AuditKey; clock: Clock }): Promise<number> {
  const { reader } = store
  const after = await findLastSealed(reader)
  const early = new Map((await listEarlyParts(reader, after)).map((part) => [part.activity_id, part]))
  const waiting = await listEntriesAfter(reader, after, sealedAtOnce)
  if (waiting.length === 0) return 0
  const proved = await makeParts(reader, { entries: waiting, early }, clock)
  const chains = Map.groupBy(proved, ({ entry }) => entry.organization_id ?? 0)
  const roots = new Map<number, string>()
  for (const [id, entries] of chains) roots.set(id, rootOf(await hashInTurns(entries)))
  await store.transact(sealer, async (tx) => {
    // Someone else has sealed or erased entries meanwhile: the next round reads again.
    if ((await findLastSealed(tx)) !== after || (await listEarlyParts(tx, after)).length !== early.size) return
    for (const [organization_id, entries] of chains) {
      const last = await findLastSeal(tx, organization_id)
      const facts: SealFacts = {
        organization_id,
        number: (last?.number ?? 0) + 1,
        entries: entries.length,
        total: (last?.total ?? 0) + entries.length,
        first_id: entries[0]?.entry.id ?? 0,
        last_id: entries.at(-1)?.entry.id ?? 0,
        root: roots.get(organization_id) ?? noHead,
        previous: last?.head ?? noHead,
        sealed_at: tx.now,
        public_key: key.public_key,
      }
      const parts: Part[] = entries.flatMap(({ entry, part }) => (part && !early.has(entry.id) ? [{ ...part, activity_id: entry.id }] : []))
      await insertSeal(tx, { ...facts, signature: key.sign(statementOf(facts)), head: headOf(facts) }, parts)
    }
  })
  return waiting.length
}
