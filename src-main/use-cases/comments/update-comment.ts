import type { Row } from '#db/schema'
import { comment as definition } from '#shared/records/comment'
import { toColumns } from '#shared/records/columns'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { writtenDetails } from '#main/store/records/conversations/activity-details'
import { type CommentInput, updateComment as storeComment } from '#main/store/records/conversations/comment-writer'
import { addParticipant } from '#main/store/records/conversations/participant-writer'
import type { Tx } from '#main/store/core/store'
import { toSubject, touchParent } from '../access/parents'
import { toUnicodeEmoji } from './emoji'
import { type CommentKey, getWritableComment } from './get-comment'
import { findMentioned } from './mentions'

/** Changes a comment of the caller's own; those it mentions now become participants (supplement 2, "Comments"). Throws {@link DomainError}. */
export async function updateComment(tx: Tx, key: CommentKey, input: CommentInput): Promise<Row<'comments'>> {
  const { parent, comment } = await getWritableComment(tx, key, 'comments.update')
  const content = toUnicodeEmoji(input.content)
  const changes = toColumns(definition.attributes, { ...input, content })
  const mentioned_ids = (await findMentioned(tx, parent, content)).map(({ id }) => id)
  const stored = await storeComment(tx, parent, { row: comment, changes, mentioned_ids })
  if (stored.version === comment.version) return comment
  for (const user_id of mentioned_ids) await addParticipant(tx, parent, user_id)
  await touchParent(tx, parent)
  await recordActivity(tx, {
    organization_id: parent.organization_id,
    subject: toSubject(parent),
    source: { type: 'Comment', id: comment.id },
    event: 'comment_updated',
    details: writtenDetails(definition.attributes, comment, stored),
  })
  return stored
}
