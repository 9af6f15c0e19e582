import type { FollowableKind } from '#shared/contract/followables'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { findParticipant, removeParticipant } from '#main/store/records/conversations/participants'
import type { Tx } from '#main/store/core/store'
import { getVisibleFollowable, toSubject } from '../access/followables'
import { getWritableOrganization } from '../access/preconditions'

/**
 * Removes the caller from a followable record's participants; does nothing if they are not one (contract 4.12). A user who saw it only as a
 * participant no longer sees it. Throws {@link DomainError}: `not_found`, `expired_organization`.
 */
export async function leaveParticipants(tx: Tx, { kind, followable_id }: { kind: FollowableKind; followable_id: number }): Promise<void> {
  const { user_id } = tx.actor
  const { followable } = await getVisibleFollowable(tx, kind, { id: followable_id, user_id })
  await getWritableOrganization(tx, followable.organization_id)
  const participant = await findParticipant(tx, followable, user_id)
  if (!participant) return
  await removeParticipant(tx, followable, participant)
  await recordActivity(tx, {
    organization_id: followable.organization_id,
    subject: toSubject(followable),
    event: 'participant_destroyed',
    details: [{ attribute: 'participant_id', from: user_id, to: null }],
  })
}
