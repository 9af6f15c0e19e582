import type { Row } from '#db/schema'
import { insertMembership, insertOrganization } from '#main/store/records/organizations/organization-writer'
import type { Tx } from '#main/store/core/store'
import { type NewUser, insertUser } from '#main/store/records/users/user-writer'

/** Creates an organization together with its first user, the admin, who is its author in the audit trail. */
export async function foundOrganization(
  tx: Tx,
  { organization: name, admin }: { organization: string; admin: NewUser },
): Promise<{ organization: Row<'organizations'>; user: Row<'users'>; tx: Tx }> {
  const user = await insertUser(tx, admin)
  const own = tx.as({ ...tx.actor, user_id: user.id })
  const organization = await insertOrganization(own, { name })
  await insertMembership(own, { organization_id: organization.id, user_id: user.id, role: 'admin' })
  return { organization, user, tx: own }
}
