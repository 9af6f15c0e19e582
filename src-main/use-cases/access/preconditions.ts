import { DomainError, notFound } from '#shared/domain/errors'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import type { Reader, Tx } from '#main/store/core/store'

/** The entity tag of a record: of the record, not of its bytes (supplement 3, "ETags"). */
export function etagOf({ uid, version }: { uid: string; version: number }): string {
  return `${uid}.${version}`
}

/**
 * Rejects a write of a record that has changed since its caller saw it (`If-Match`; supplement, "Preconditions"). Call it
 * after the permission checks (404, 402, 403), and before validation (422): a move that someone else made first is 412.
 */
export function assertFresh(tx: Tx, record: { uid: string; version: number }): void {
  assertSeen(tx.actor.if_match, record)
}

/** The same for an `If-Match` header as it came; null: none did. */
export function assertSeen(seen: string | null, record: { uid: string; version: number }): void {
  if (seen === null) return
  const tags = seen.split(',').map((tag) => tag.trim())
  if (!tags.includes('*') && !tags.includes(`"${etagOf(record)}"`)) throw new DomainError({ kind: 'stale' })
}

/** An organization that can be written to: one that is there, and is not expired (contract section 1, "Expired organization"). */
export async function getWritableOrganization(reader: Reader, id: number) {
  const organization = await findOrganization(reader, id)
  if (!organization) throw notFound()
  if (organization.expired_at !== null) throw new DomainError({ kind: 'expired_organization' })
  return organization
}
