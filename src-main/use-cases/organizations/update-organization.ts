import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { organizationRoutes } from '#shared/contract/organizations'
import { toColumns } from '#shared/records/columns'
import { organization as definition } from '#shared/records/organization'
import { updateOrganization as storeOrganization } from '#main/store/records/organizations/organization-writer'
import type { Tx } from '#main/store/core/store'
import { claimImage } from '../uploads/claim-image'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'

/** Attributes to change; absent ones stay. */
export type UpdateOrganization = z.output<typeof organizationRoutes.update.body>

/** Changes an organization (contract 2.13: admins). Throws {@link DomainError}. */
export async function updateOrganization(tx: Tx, id: number, { logo, ...input }: UpdateOrganization): Promise<Row<'organizations'>> {
  const { organization } = await getManagedOrganization(tx, id, 'organizations.update')
  await assertFresh(tx, organization)
  const logo_sha256 = await claimImage(tx, logo)
  return storeOrganization(tx, organization, { ...toColumns(definition.attributes, input), logo_sha256 })
}
