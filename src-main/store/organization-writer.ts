import type { Row } from '#db/schema'
import type { Role } from '#shared/domain/roles'
import { recordActivity } from './activity-writer'
import { changedDetails } from './changed-details'
import { type Changes, insertRecord, updateRecord } from './record-writer'
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

/** Changes an organization, with its place in the audit trail. Nothing to change: nothing is written. */
export function updateOrganization(tx: Tx, row: Row<'organizations'>, changes: Changes<'organizations'>): Row<'organizations'> {
  const stored = updateRecord(tx, 'organizations', { row, changes, scope: { organization_id: row.id } })
  const details = changedDetails(plain(row), plain(stored), ['name', 'restricted_tags', 'expired', 'logo'])
  if (details.length > 0)
    recordActivity(tx, { organization_id: row.id, subject: { type: 'Organization', id: row.id }, event: 'organization_updated', details })
  return stored
}

/** The attributes of an organization as the audit trail names them; a logo by its hash. */
function plain({ name, restricted_tags, expired_at, logo_sha256 }: Row<'organizations'>) {
  return { name, restricted_tags: restricted_tags === 1, expired: expired_at !== null, logo: logo_sha256 }
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
