import type { Row } from '#db/schema'
import { forbidden, invalid } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { findRole } from '#main/store/membership-reader'
import { findOrganization } from '#main/store/organization-reader'
import type { Tx } from '#main/store/store'
import { getWritableOrganization } from '../access/preconditions'

/** The organization that an accountability is to be paid by; one that the caller is no member of is as good as none. */
export async function getPayer(tx: Tx, payer_id: number): Promise<Row<'organizations'>> {
  const role = await findRole(tx, { organization_id: payer_id, user_id: tx.actor.user_id })
  if (!may('accountabilities.create', { role }) || !(await findOrganization(tx, payer_id))) throw invalid('payer', 'invalid')
  return getWritableOrganization(tx, payer_id)
}

/** Refuses a receiver whom the caller may not name, and one who is no member of the payer. */
export async function assertReceiver(
  tx: Tx,
  { payer_id, receiver_id }: { payer_id: number; receiver_id: number },
): Promise<void> {
  const roleOf = (user_id: number) => findRole(tx, { organization_id: payer_id, user_id })
  if (receiver_id !== tx.actor.user_id) {
    const role = await roleOf(tx.actor.user_id)
    if (!may('accountabilities.create_for_others', { role })) throw forbidden()
  }
  if (!(await roleOf(receiver_id))) throw invalid('receiver', 'not_a_member')
}
