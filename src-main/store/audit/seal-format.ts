import { createPublicKey, hash, verify } from 'node:crypto'
import type { Row } from '#db/schema'

/** An entry of the trail and what its seal stores about it. */
export interface ProvedEntry {
  readonly entry: Row<'activities'>
  readonly part: Omit<Row<'audit_parts'>, 'activity_id'> | undefined
}

/** The fields of a seal that are signed. */
export type SealFacts = Omit<Row<'audit_seals'>, 'id' | 'signature' | 'head'>

/** The three hashes of an entry, hexadecimal: who did what to which record, the old and new values, and what concerns the instance. */
export type EntryHashes = readonly [facts: string, details: string, rest: string]

/** The head that the first seal of a chain follows. */
export const noHead = '0'.repeat(64)

/** The SHA-256 of a list of values as JSON without spaces, hexadecimal. */
export function hashOf(values: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(values))
}

/** The hash of who did what to which record. */
export function factsHash(entry: Row<'activities'>): string {
  const { id, uid, organization_id, user_id, subject_type, subject_id, source_type, source_id, event } = entry
  const subject = [subject_type, subject_id, source_type, source_id]
  return hashOf(['facts', id, uid, organization_id, user_id, ...subject, event, entry.occurred_at, entry.created_at])
}

/** The hash of an entry's details as they are stored. Nobody can guess the details without the entry's uid or its salt. */
export function detailsHash(details: string, salt: string): string {
  return hashOf(['details', salt, details])
}

/** Whether an entry has more about a person than their number. Its details can be erased, and the seal stays valid. */
export function isPersonal({ subject_type, details }: Row<'activities'>): boolean {
  return subject_type === 'User' || details.includes('"attribute":"email"')
}

/** The three hashes of an entry. */
export function entryHashes({ entry, part }: ProvedEntry): EntryHashes {
  const kept = part?.details_hash ?? null
  const rest = hashOf(['rest', entry.uid, entry.origin, entry.request_id, part?.sha256 ?? null, kept !== null])
  return [factsHash(entry), kept ?? detailsHash(entry.details, entry.uid), rest]
}

/** Whether the details of an entry match the seal, or were erased together with their salt. */
export function provesDetails({ entry, part }: ProvedEntry): boolean {
  if (part?.details_hash == null) return part?.salt == null
  if (part.salt === null) return entry.details === '[]'
  return detailsHash(entry.details, part.salt) === part.details_hash
}

function join(prefix: number, parts: ReadonlyArray<string | Buffer>): Buffer {
  const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part))
  return hash('sha256', Buffer.concat([Uint8Array.of(prefix), ...bytes]), 'buffer')
}

/** The Merkle root of entries in their order, as RFC 6962 defines it; hexadecimal. */
export function rootOf(entries: readonly EntryHashes[]): string {
  let level = entries.map((hashes) => join(0, hashes))
  while (level.length > 1)
    level = level.flatMap((left, at) => {
      if (at % 2 === 1) return []
      const right = level[at + 1]
      return [right ? join(1, [left, right]) : left]
    })
  return level[0]?.toString('hex') ?? noHead
}

/** The bytes that are signed. Their hash is the head. */
export function statementOf(seal: SealFacts): Buffer {
  const { organization_id, number, first_id, last_id, entries, total, root, previous, sealed_at, public_key } = seal
  const facts = [organization_id, number, first_id, last_id, entries, total, root, previous, sealed_at, public_key]
  return Buffer.from(JSON.stringify(['outlay-seal-1', ...facts]))
}

/** The head of the chain that ends with this seal, hexadecimal. */
export function headOf(seal: SealFacts): string {
  return hash('sha256', statementOf(seal))
}

/** Whether a seal is signed by the key that it names. */
export function isSigned(seal: Row<'audit_seals'>): boolean {
  try {
    // Base64 can spell the same bytes in several ways: only one is accepted.
    if (Buffer.from(seal.signature, 'base64').toString('base64') !== seal.signature) return false
    const key = createPublicKey({ key: Buffer.from(seal.public_key, 'base64'), format: 'der', type: 'spki' })
    return verify(null, statementOf(seal), key, Buffer.from(seal.signature, 'base64'))
  } catch {
    return false
  }
}
