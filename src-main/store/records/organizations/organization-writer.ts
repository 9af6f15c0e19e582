import type { Row } from '#db/schema'
import type { Role } from '#shared/domain/roles'
import { newColumns } from '#shared/records/columns'
import { membership as membershipDefinition } from '#shared/records/membership'
import { organization as definition } from '#shared/records/organization'
import { recordActivity } from '../conversations/activity-writer'
import { toActivityDetails, writtenDetails } from '../conversations/activity-details'
import { listMembershipsIn } from './membership-reader'
import { type Changes, deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import type { Tx } from '../../core/store'

/** Stores a new organization. */
export async function insertOrganization(tx: Tx, { name }: { name: string }): Promise<Row<'organizations'>> {
  const values = { ...newColumns(definition.attributes, { name }), expired_at: null }
  const organization = await insertRecord(tx, 'organizations', { values, scope: { organization_id: null } })
  await recordActivity(tx, {
    organization_id: organization.id,
    subject: { type: 'Organization', id: organization.id },
    event: 'organization_created',
    details: writtenDetails(definition.attributes, {}, organization),
  })
  return organization
}

/** Changes an organization and records it in the audit trail; writes nothing if nothing differs. */
export async function updateOrganization(
  tx: Tx,
  row: Row<'organizations'>,
  changes: Changes<'organizations'>,
): Promise<Row<'organizations'>> {
  const stored = await updateRecord(tx, 'organizations', { row, changes, scope: { organization_id: row.id } })
  const expiry = toActivityDetails(expiryOf(row), expiryOf(stored), ['expired'])
  const details = [...writtenDetails(definition.attributes, row, stored), ...expiry]
  if (details.length > 0)
    await recordActivity(tx, {
      organization_id: row.id,
      subject: { type: 'Organization', id: row.id },
      event: 'organization_updated',
      details,
    })
  return stored
}

/** Deletes an organization, and everything that members see through it. */
export async function deleteOrganization(tx: Tx, row: Row<'organizations'>): Promise<void> {
  const { id } = row
  await recordActivity(tx, {
    organization_id: id,
    subject: { type: 'Organization', id },
    event: 'organization_destroyed',
    details: writtenDetails(definition.attributes, row, {}),
  })
  for (const membership of await listMembershipsIn(tx, id))
    await deleteRecord(tx, 'memberships', { row: membership, scope: scopeOf(membership) })
  await deleteRecord(tx, 'organizations', { row, scope: { organization_id: id } })
}

const expiryOf = ({ expired_at }: Row<'organizations'>) => ({ expired: expired_at !== null })

/** Stores a new membership. */
export async function insertMembership(
  tx: Tx,
  values: { organization_id: number; user_id: number; role: Role },
): Promise<Row<'memberships'>> {
  const { organization_id, user_id, role } = values
  const membership = await insertRecord(tx, 'memberships', { values, scope: { organization_id, user_id } })
  await recordActivity(tx, {
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

/** Changes a member's role; writes nothing if nothing differs. */
export async function updateMembership(tx: Tx, row: Row<'memberships'>, changes: Changes<'memberships'>): Promise<Row<'memberships'>> {
  const stored = await updateRecord(tx, 'memberships', { row, changes, scope: scopeOf(row) })
  if (stored.version === row.version) return stored
  const member = { attribute: 'user_id', from: row.user_id, to: row.user_id } as const
  const details = [member, ...writtenDetails(membershipDefinition.attributes, row, stored)]
  await recordActivity(tx, { ...subjectOf(row), event: 'organization_role_changed', details })
  return stored
}

/** Ends a membership: the member left or was removed. */
export async function deleteMembership(
  tx: Tx,
  row: Row<'memberships'>,
  event: 'organization_left' | 'organization_remove_member',
): Promise<void> {
  await deleteRecord(tx, 'memberships', { row, scope: scopeOf(row) })
  const { user_id, role } = row
  const details = [
    { attribute: 'user_id', from: user_id, to: null },
    { attribute: 'role', from: role, to: null },
  ] as const
  await recordActivity(tx, { ...subjectOf(row), event, details })
}

function scopeOf({ organization_id, user_id }: Row<'memberships'>) {
  return { organization_id, user_id }
}
function subjectOf({ organization_id, id }: Row<'memberships'>) {
  return { organization_id, subject: { type: 'Membership', id } } as const
}
