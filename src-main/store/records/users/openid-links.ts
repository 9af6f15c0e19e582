import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { recordOwnActivity } from './own-activity'

type Link = Row<'openid_links'>
type Grant = Row<'openid_grants'>

/** The trail's origin of changes by a sign-in at a provider and its groups. */
export const openIdOrigin = 'openid'

const insertRow = statement<Omit<Link, 'id'>, unknown>((db, p) =>
  db
    .insertInto('openid_links')
    .values({
      user_id: p('user_id'),
      issuer: p('issuer'),
      identity_hash: p('identity_hash'),
      created_at: p('created_at'),
      last_used_at: p('last_used_at'),
    }),
)
const findByIdentity = statement<Pick<Link, 'identity_hash'>, Link>((db, p) =>
  db.selectFrom('openid_links').selectAll().where('identity_hash', '=', p('identity_hash')),
)
const findOfUser = statement<Pick<Link, 'user_id' | 'issuer'>, Link>((db, p) =>
  db.selectFrom('openid_links').selectAll().where('user_id', '=', p('user_id')).where('issuer', '=', p('issuer')),
)
const deleteOf = statement<Pick<Link, 'user_id'>, Pick<Link, 'issuer'>>((db, p) =>
  db.deleteFrom('openid_links').where('user_id', '=', p('user_id')).returning('issuer'),
)
const setUse = statement<Pick<Link, 'identity_hash' | 'last_used_at'>, unknown>((db, p) =>
  db
    .updateTable('openid_links')
    .set({ last_used_at: p('last_used_at') })
    .where('identity_hash', '=', p('identity_hash')),
)
const findGrant = statement<Pick<Grant, 'user_id' | 'organization_id'>, Grant>((db, p) =>
  db.selectFrom('openid_grants').selectAll().where('user_id', '=', p('user_id')).where('organization_id', '=', p('organization_id')),
)
const findEnd = statement<{ membership_id: number }, { origin: string }>((db, p) =>
  db
    .selectFrom('activities')
    .select('origin')
    .where('subject_type', '=', 'Membership')
    .where('subject_id', '=', p('membership_id'))
    .where('event', 'in', ['organization_left', 'organization_remove_member'])
    .orderBy('id', 'desc')
    .limit(1),
)
const setGrant = statement<Grant, unknown>((db, p) =>
  db
    .insertInto('openid_grants')
    .values({ user_id: p('user_id'), organization_id: p('organization_id'), role: p('role') })
    .onConflict((conflict) => conflict.columns(['user_id', 'organization_id']).doUpdateSet({ role: p('role') })),
)

/** The link of an identity at a provider, also of an erased user. */
export function findOpenIdLink(reader: Reader, identity_hash: string): Promise<Link | undefined> {
  return reader.first(findByIdentity, { identity_hash })
}

/** A user's identity at a provider. */
export function findOpenIdLinkOf(reader: Reader, key: Pick<Link, 'user_id' | 'issuer'>): Promise<Link | undefined> {
  return reader.first(findOfUser, key)
}

/** Links the acting user to an identity at a provider. */
export async function insertOpenIdLink(tx: Tx, link: Pick<Link, 'user_id' | 'issuer' | 'identity_hash'>): Promise<void> {
  await tx.run(insertRow, { ...link, created_at: tx.now, last_used_at: null })
  const details = [{ attribute: 'description', from: null, to: link.issuer }] as const
  await recordOwnActivity(tx, { user_id: link.user_id, event: 'openid_linked', details })
}

/** Deletes a user's identities; returns how many there were. */
export async function deleteOpenIdLinks(tx: Tx, user_id: number): Promise<number> {
  const deleted = await tx.all(deleteOf, { user_id })
  for (const { issuer } of deleted) {
    const details = [{ attribute: 'description', from: issuer, to: null }] as const
    await recordOwnActivity(tx, { user_id, event: 'openid_unlinked', details })
  }
  return deleted.length
}

/** Records the acting user's sign-in with an identity. `groups`: those that the provider named and that have a role by the operator's settings. */
export async function noteOpenIdSignIn(
  tx: Tx,
  { user_id, identity_hash, groups }: { user_id: number; identity_hash: string; groups: readonly string[] },
): Promise<void> {
  await tx.run(setUse, { identity_hash, last_used_at: tx.now })
  const details = groups.length === 0 ? [] : ([{ attribute: 'description', from: null, to: groups.join(', ') }] as const)
  await recordOwnActivity(tx, { user_id, event: 'signed_in_by_openid', details })
}

/** The role that a user's groups gave them in an organization at the last sign-in; null if the groups withdrew it. */
export function findOpenIdGrant(reader: Reader, key: Pick<Grant, 'user_id' | 'organization_id'>): Promise<Grant | undefined> {
  return reader.first(findGrant, key)
}

/** Whether groups, not a person, ended a membership, according to the trail. */
export async function wasEndedByGroups(reader: Reader, membership_id: number): Promise<boolean> {
  return (await reader.first(findEnd, { membership_id }))?.origin === openIdOrigin
}

/** Stores the role that a user's groups give them in an organization. */
export async function storeOpenIdGrant(tx: Tx, grant: Grant): Promise<void> {
  await tx.run(setGrant, grant)
}
