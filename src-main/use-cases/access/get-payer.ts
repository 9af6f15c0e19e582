import type { Row } from '#db/schema'
import { forbidden, invalid } from '#shared/domain/errors'
import { type Action, may } from '#shared/domain/permissions'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import type { Tx } from '#main/store/core/store'
import { getWritableOrganization } from './preconditions'

/**
 * The organization that a request names as the payer, if the acting user may do this in it; one that they may not see counts as missing. Throws
 * {@link DomainError}: `invalid`, `expired_organization`, `forbidden`.
 */
export async function getPayer(tx: Tx, payer_id: number, action: Action): Promise<Row<'organizations'>> {
  const role = await findRole(tx, { organization_id: payer_id, user_id: tx.actor.user_id })
  if (!may('organizations.read', { role }) || !(await findOrganization(tx, payer_id))) throw invalid('payer', 'invalid')
  const payer = await getWritableOrganization(tx, payer_id)
  if (!may(action, { role })) throw forbidden()
  return payer
}
