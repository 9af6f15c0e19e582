import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { organizationRoutes } from '#shared/contract/organizations'
import { notFound } from '#shared/domain/errors'
import { toColumns } from '#shared/records/columns'
import { organization as definition } from '#shared/records/organization'
import type { Tx } from '#main/store/core/store'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import {
  deleteOrganization as storeDeletion,
  insertMembership,
  insertOrganization,
  updateOrganization as storeOrganization,
} from '#main/store/records/organizations/organization-writer'
import { type NewUser, insertUser } from '#main/store/records/users/user-writer'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'
import { claimImage } from '../uploads/uploads'

/** The input for a new organization. */
type CreateOrganization = z.output<typeof organizationRoutes.create.body>

/** Creates an organization with the acting user as its admin (supplement 2, "Organizations"). Throws {@link DomainError}. */
export async function createOrganization(tx: Tx, { logo, ...input }: CreateOrganization): Promise<Row<'organizations'>> {
  const logo_sha256 = (await claimImage(tx, logo)) ?? null
  const organization = await insertOrganization(tx, input)
  await insertMembership(tx, { organization_id: organization.id, user_id: tx.actor.user_id, role: 'admin' })
  return storeOrganization(tx, organization, { ...toColumns(definition.attributes, input), logo_sha256 })
}

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

/** Attributes to change; absent ones stay. */
type UpdateOrganization = z.output<typeof organizationRoutes.update.body>

/** Changes an organization (contract 2.13: admins). Throws {@link DomainError}. */
export async function updateOrganization(tx: Tx, id: number, { logo, ...input }: UpdateOrganization): Promise<Row<'organizations'>> {
  const { organization } = await getManagedOrganization(tx, id, 'organizations.update')
  await assertFresh(tx, organization)
  const logo_sha256 = await claimImage(tx, logo)
  return storeOrganization(tx, organization, { ...toColumns(definition.attributes, input), logo_sha256 })
}

/**
 * Makes an organization read-only, or renews it (contract section 1, "Expired organization"); does nothing if unchanged. Only for the operator: the
 * API has no route for it. Throws {@link notFound}.
 */
export async function setExpiry(tx: Tx, organization_id: number, expired: boolean): Promise<Row<'organizations'>> {
  const organization = await findOrganization(tx, organization_id)
  if (!organization) throw notFound()
  if ((organization.expired_at !== null) === expired) return organization
  return storeOrganization(tx, organization, { expired_at: expired ? tx.now : null })
}

/**
 * Deletes an organization (contract 2.13: admins). Its members are no longer members, and see only their own records in it. Throws {@link
 * DomainError}.
 */
export async function deleteOrganization(tx: Tx, id: number): Promise<void> {
  const { organization } = await getManagedOrganization(tx, id, 'organizations.delete')
  await assertFresh(tx, organization)
  await storeDeletion(tx, organization)
}
