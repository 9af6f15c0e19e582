import { z } from 'zod'
import { DomainError, notFound } from '#shared/domain/errors'
import { type ActivityAttribute, isActivityAttribute } from '#shared/records/audited'
import { pulledChange } from '#main/store/sync/pulled-changes'
import { listChangesSince } from '#main/store/sync/sync-operations'
import { findUser } from '#main/store/records/users/user-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import type { Reader, Tx } from '#main/store/core/store'

/** The entity tag of a record (not of its bytes; supplement 3, "ETags"). */
export function etagOf({ uid, version }: { uid: string; version: number }): string {
  return `${uid}.${version}`
}

type Versioned = Readonly<{ id: number; uid: string; version: number }>

/**
 * Rejects a write of a record that has changed since its caller saw it (`If-Match`; supplement, "Preconditions"). Call it after permission checks
 * (404, 402, 403) and before validation (422), so that an earlier move by someone else is 412.
 */
export function assertFresh(tx: Tx, record: Versioned): Promise<void> {
  return assertSeen(tx, tx.actor, record)
}

/** Like {@link assertFresh}, for a raw `If-Match` header; null: there was none. */
export async function assertSeen(
  reader: Reader,
  { if_match, user_id }: { if_match: string | null; user_id: number | null },
  { id, uid, version }: Versioned,
): Promise<void> {
  if (if_match === null) return
  const tags = if_match.split(',').map((tag) => tag.trim())
  if (tags.includes('*') || tags.includes(`"${etagOf({ uid, version })}"`)) return
  const seen = tags.flatMap((tag) => (tag.startsWith(`"${uid}.`) ? [Number(tag.slice(uid.length + 2, -1))] : []))
  throw seen.length === 0 ? new DomainError({ kind: 'stale' }) : await staleSince(reader, { id, uid, version: Math.max(...seen) }, user_id)
}

/** The error for a write of a record that was seen in this version. It names what has changed since, as far as the change log goes back. */
export async function staleSince(reader: Reader, { id, uid, version }: Versioned, user_id: number | null): Promise<DomainError> {
  const changes = await listChangesSince(reader, { record_id: id, record_uid: uid, version })
  const [newest] = changes
  // A change that sync brought names neither its author nor what changed.
  if (!newest || newest.changed === pulledChange) return new DomainError({ kind: 'stale' })
  const author = newest.actor_user_id === null ? undefined : await findUser(reader, newest.actor_user_id)
  const is_own = newest.actor_user_id === user_id
  const attributes = [...new Set(changes.flatMap(({ changed }) => attributesOf(changed)))]
  return new DomainError({
    kind: 'stale',
    change: { by: author ? `${author.first_name} ${author.last_name}`.trim() : null, is_own, attributes },
  })
}

/** The changed attributes of a change-log row, in the audit trail's words. */
function attributesOf(changed: string): ActivityAttribute[] {
  const names = z.array(z.string()).parse(JSON.parse(changed))
  return names.map((name) => parts.get(name) ?? name.replace(/_minor$/, '')).filter(isActivityAttribute)
}

/** Parts of a record that are not columns. */
const parts = new Map<string, ActivityAttribute>([
  ['comments', 'content'],
  ['receipts', 'file'],
])

/** An organization that exists and is not expired (contract section 1, "Expired organization"). */
export async function getWritableOrganization(reader: Reader, id: number) {
  const organization = await findOrganization(reader, id)
  if (!organization) throw notFound()
  if (organization.expired_at !== null) throw new DomainError({ kind: 'expired_organization' })
  return organization
}
