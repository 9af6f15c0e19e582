import type { Row } from '#db/schema'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { type CommentInput, insertComment } from '#main/store/records/conversations/comment-writer'
import { addParticipant } from '#main/store/records/conversations/participant-writer'
import type { Tx } from '#main/store/core/store'
import { type Parent, toSubject, touchParent } from '../access/parents'
import { toUnicodeEmoji } from './emoji'
import { findMentioned } from './mentions'

/**
 * Adds a comment of the actor; they and those they mention become participants (contract 4.12). The parent's row changes:
 * read it again for its version and counts. The caller checks the permission to comment.
 */
export async function addComment(
  tx: Tx,
  { parent, ...input }: CommentInput & { readonly parent: Parent },
): Promise<Row<'comments'>> {
  const content = toUnicodeEmoji(input.content)
  const mentioned_ids = (await findMentioned(tx, parent, content)).map(({ id }) => id)
  const comment = await insertComment(tx, parent, { ...input, content, mentioned_ids })
  for (const user_id of new Set([tx.actor.user_id, ...mentioned_ids])) await addParticipant(tx, parent, user_id)
  await touchParent(tx, parent)
  await recordActivity(tx, {
    organization_id: parent.organization_id,
    subject: toSubject(parent),
    source: { type: 'Comment', id: comment.id },
    event: 'comment_created',
    details: [{ attribute: 'content', from: null, to: content }],
  })
  return comment
}
