import { DomainError, forbidden } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { deleteAccountability as storeDeletion } from '#main/store/records/settlements/accountability-writer'
import type { Tx } from '#main/store/core/store'
import { assertFresh, getWritableOrganization } from '../access/preconditions'
import { getVisibleAccountability } from './get-visible-accountability'

/** Deletes an unfinished accountability; its expenses stay unchanged (contract 4.5). Throws {@link DomainError}. */
export async function deleteAccountability(tx: Tx, id: number): Promise<void> {
  const { accountability, relation } = await getVisibleAccountability(tx, { id, user_id: tx.actor.user_id })
  await getWritableOrganization(tx, accountability.payer_id)
  if (accountability.status !== 'finished' && !may('accountabilities.destroy', relation)) throw forbidden()
  await assertFresh(tx, accountability)
  if (accountability.status === 'finished') throw new DomainError({ kind: 'not_possible', code: 'finished_accountability' })
  await storeDeletion(tx, accountability)
  await recordActivity(tx, {
    organization_id: accountability.payer_id,
    subject: { type: 'Accountability', id },
    event: 'accountability_destroyed',
  })
}
