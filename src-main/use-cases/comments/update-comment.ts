import type { Row } from '#db/schema'
import { comment as definition } from '#shared/records/comment'
import { toColumns } from '#shared/records/columns'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { writtenDetails } from '#main/store/records/conversations/activity-details'
import { type CommentInput, updateComment as storeComment } from '#main/store/records/conversations/comment-writer'
import { addParticipant } from '#main/store/records/conversations/participant-writer'
import type { Tx } from '#main/store/core/store'
import { toSubject, touchFollowable } from '../access/followables'
import { toUnicodeEmoji } from './emoji'
import { type CommentKey, getWritableComment } from './get-comment'
import { findMentioned } from './mentions'

/** Changes the caller's own comment; users it now mentions become participants (supplement 2, "Comments"). Throws {@link DomainError}. */
export async function updateComment(tx: Tx, key: CommentKey, input: CommentInput): Promise<Row<'comments'>> {
  const { followable, comment } = await getWritableComment(tx, key, 'comments.update')
  const content = toUnicodeEmoji(input.content)
  const changes = toColumns(definition.attributes, { ...input, content })
  const mentioned_ids = (await findMentioned(tx, followable, content)).map(({ id }) => id)
  const stored = await storeComment(tx, followable, { row: comment, changes, mentioned_ids })
  if (stored.version === comment.version) return comment
  for (const user_id of mentioned_ids) await addParticipant(tx, followable, user_id)
  await touchFollowable(tx, followable)
  await recordActivity(tx, {
    organization_id: followable.organization_id,
    subject: toSubject(followable),
    source: { type: 'Comment', id: comment.id },
    event: 'comment_updated',
    details: writtenDetails(definition.attributes, comment, stored),
  })
  return stored
}
