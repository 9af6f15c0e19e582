import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { deleteComment as storeDeletion } from '#main/store/records/conversations/comment-writer'
import type { Tx } from '#main/store/core/store'
import { toSubject, touchFollowable } from '../access/followables'
import { type CommentKey, getWritableComment } from './get-comment'

/** Deletes a comment: its author or an admin may (supplement 2, "Comments"). Throws {@link DomainError}. */
export async function deleteComment(tx: Tx, key: CommentKey): Promise<void> {
  const { followable, comment } = await getWritableComment(tx, key, 'comments.delete')
  await storeDeletion(tx, followable, comment)
  await touchFollowable(tx, followable)
  await recordActivity(tx, {
    organization_id: followable.organization_id,
    subject: toSubject(followable),
    source: { type: 'Comment', id: comment.id },
    event: 'comment_destroyed',
    details: [{ attribute: 'content', from: comment.content, to: null }],
  })
}
