import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { organizationRoutes } from '#shared/contract/organizations'
import { toColumns } from '#shared/records/columns'
import { organization as definition } from '#shared/records/organization'
import { insertMembership, insertOrganization, updateOrganization } from '#main/store/records/organizations/organization-writer'
import type { Tx } from '#main/store/core/store'
import { claimImage } from '../uploads/claim-image'

/** The input for a new organization. */
export type CreateOrganization = z.output<typeof organizationRoutes.create.body>

/** Creates an organization with the acting user as its admin (supplement 2, "Organizations"). Throws {@link DomainError}. */
export async function createOrganization(tx: Tx, { logo, ...input }: CreateOrganization): Promise<Row<'organizations'>> {
  const logo_sha256 = (await claimImage(tx, logo)) ?? null
  const organization = await insertOrganization(tx, input)
  await insertMembership(tx, { organization_id: organization.id, user_id: tx.actor.user_id, role: 'admin' })
  return updateOrganization(tx, organization, { ...toColumns(definition.attributes, input), logo_sha256 })
}
