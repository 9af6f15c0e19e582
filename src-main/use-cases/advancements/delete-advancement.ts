import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { deleteSettlement } from '#main/store/records/settlements/settlement-writer'
import type { Tx } from '#main/store/core/store'
import { getWritableSettlement } from '../settlements/change-settlement'

/** Deletes an advancement: its receiver, or managers and above of the payer, may (contract 4.2). Throws {@link DomainError}. */
export async function deleteAdvancement(tx: Tx, id: number): Promise<void> {
  const advancement = await getWritableSettlement(tx, 'advancement', { id, action: 'advancements.destroy' })
  await deleteSettlement(tx, 'advancement', advancement)
  await recordActivity(tx, { organization_id: advancement.payer_id, subject: { type: 'Advancement', id }, event: 'advancement_destroyed' })
}
