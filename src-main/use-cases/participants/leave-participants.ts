import type { ParentKind } from '#shared/contract/parents'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { findParticipant } from '#main/store/records/conversations/participant-reader'
import { removeParticipant } from '#main/store/records/conversations/participant-writer'
import type { Tx } from '#main/store/core/store'
import { getVisibleParent, toSubject } from '../access/parents'
import { getWritableOrganization } from '../access/preconditions'

/**
 * Takes the caller off a parent's participants; one who takes no part stays as they are (contract 4.12). Who saw it as a
 * participant only sees it no longer. Throws {@link DomainError}: `not_found`, `expired_organization`.
 */
export async function leaveParticipants(tx: Tx, { kind, parent_id }: { kind: ParentKind; parent_id: number }): Promise<void> {
  const { user_id } = tx.actor
  const { parent } = await getVisibleParent(tx, kind, { id: parent_id, user_id })
  await getWritableOrganization(tx, parent.organization_id)
  const participant = await findParticipant(tx, parent, user_id)
  if (!participant) return
  await removeParticipant(tx, parent, participant)
  await recordActivity(tx, {
    organization_id: parent.organization_id,
    subject: toSubject(parent),
    event: 'participant_destroyed',
    details: [{ attribute: 'participant_id', from: user_id, to: null }],
  })
}
