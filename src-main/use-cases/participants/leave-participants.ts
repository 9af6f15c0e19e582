import type { FollowableKind } from '#shared/contract/followables'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { findParticipant } from '#main/store/records/conversations/participant-reader'
import { removeParticipant } from '#main/store/records/conversations/participant-writer'
import type { Tx } from '#main/store/core/store'
import { getVisibleFollowable, toSubject } from '../access/followables'
import { getWritableOrganization } from '../access/preconditions'

/**
 * Takes the caller off a followable record's participants; one who takes no part stays as they are (contract 4.12). Who saw it as a
 * participant only sees it no longer. Throws {@link DomainError}: `not_found`, `expired_organization`.
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
