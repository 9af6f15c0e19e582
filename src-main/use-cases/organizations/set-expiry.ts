import type { Row } from '#db/schema'
import { notFound } from '#shared/domain/errors'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import { updateOrganization } from '#main/store/records/organizations/organization-writer'
import type { Tx } from '#main/store/core/store'

/**
 * Makes an organization read-only, or renews it (contract section 1, "Expired organization"); does nothing if unchanged. Only for the operator: the
 * API has no route for it. Throws {@link notFound}.
 */
export async function setExpiry(tx: Tx, organization_id: number, expired: boolean): Promise<Row<'organizations'>> {
  const organization = await findOrganization(tx, organization_id)
  if (!organization) throw notFound()
  if ((organization.expired_at !== null) === expired) return organization
  return updateOrganization(tx, organization, { expired_at: expired ? tx.now : null })
}
