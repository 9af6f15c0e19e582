import type { Row } from '#db/schema'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { type CommentInput, insertComment } from '#main/store/records/conversations/comment-writer'
import { addParticipant } from '#main/store/records/conversations/participant-writer'
import type { Tx } from '#main/store/core/store'
import { type Followable, toSubject, touchFollowable } from '../access/followables'
import { toUnicodeEmoji } from './emoji'
import { findMentioned } from './mentions'

/**
 * Adds a comment of the actor; they and those they mention become participants (contract 4.12). The followable record's row changes: read it again
 * for its version and counts. The caller checks the permission.
 */
export async function addComment(
  tx: Tx,
  { followable, ...input }: CommentInput & { readonly followable: Followable },
): Promise<Row<'comments'>> {
  const content = toUnicodeEmoji(input.content)
  const mentioned_ids = (await findMentioned(tx, followable, content)).map(({ id }) => id)
  const comment = await insertComment(tx, followable, { ...input, content, mentioned_ids })
  for (const user_id of new Set([tx.actor.user_id, ...mentioned_ids])) await addParticipant(tx, followable, user_id)
  await touchFollowable(tx, followable)
  await recordActivity(tx, {
    organization_id: followable.organization_id,
    subject: toSubject(followable),
    source: { type: 'Comment', id: comment.id },
    event: 'comment_created',
    details: [{ attribute: 'content', from: null, to: content }],
  })
  return comment
}
