import { forbidden, invalid } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { findRole } from '#main/store/records/organizations/membership-reader'
import type { Tx } from '#main/store/core/store'

/** Throws for a receiver whom the caller may not name, or who is not a member of the payer. */
export async function assertReceiver(tx: Tx, { payer_id, receiver_id }: { payer_id: number; receiver_id: number }): Promise<void> {
  const roleOf = (user_id: number) => findRole(tx, { organization_id: payer_id, user_id })
  if (receiver_id !== tx.actor.user_id) {
    const role = await roleOf(tx.actor.user_id)
    if (!may('accountabilities.create_for_others', { role })) throw forbidden()
  }
  if (!(await roleOf(receiver_id))) throw invalid('receiver', 'not_a_member')
}
