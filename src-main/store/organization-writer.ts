import type { Row } from '#db/schema'
import type { Role } from '#shared/domain/roles'
import { recordActivity } from './activity-writer'
import { insertRecord } from './record-writer'
import type { Tx } from './store'

/** Stores a new organization. */
export function insertOrganization(tx: Tx, { name }: { name: string }): Row<'organizations'> {
  const values = { name, expired_at: null, logo_sha256: null }
  const organization = insertRecord(tx, 'organizations', { values, scope: { organization_id: null } })
  recordActivity(tx, {
    organization_id: organization.id,
    subject: { type: 'Organization', id: organization.id },
    event: 'organization_created',
    details: [{ attribute: 'name', from: null, to: name }],
  })
  return organization
}

/** Stores a new membership. */
export function insertMembership(tx: Tx, values: { organization_id: number; user_id: number; role: Role }): Row<'memberships'> {
  const { organization_id, user_id, role } = values
  const membership = insertRecord(tx, 'memberships', { values, scope: { organization_id, user_id } })
  recordActivity(tx, {
    organization_id,
    subject: { type: 'Membership', id: membership.id },
    event: 'organization_add_member',
    details: [
      { attribute: 'user_id', from: null, to: user_id },
      { attribute: 'role', from: null, to: role },
    ],
  })
  return membership
}
