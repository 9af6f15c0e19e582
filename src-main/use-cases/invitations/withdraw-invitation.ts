import { deleteInvitation } from '#main/store/records/organizations/invitation-writer'
import type { Tx } from '#main/store/core/store'
import { getManagedInvitation } from './get-managed-invitation'

/** Withdraws an invitation; its secret becomes invalid. Throws {@link DomainError}. */
export async function withdrawInvitation(tx: Tx, key: { organization_id: number; id: number }): Promise<void> {
  await deleteInvitation(tx, await getManagedInvitation(tx, key))
}
