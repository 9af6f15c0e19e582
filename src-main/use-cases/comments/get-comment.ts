import type { Row } from '#db/schema'
import type { FollowableKind } from '#shared/contract/followables'
import { forbidden, notFound } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { findComment } from '#main/store/records/conversations/comment-reader'
import type { Reader, Tx } from '#main/store/core/store'
import { type VisibleFollowable, getCommentedRecord } from '../access/followables'
import { assertFresh, getWritableOrganization } from '../access/preconditions'

/** The kind and id of a comment's record, and the comment's id. */
export interface CommentKey {
  readonly kind: FollowableKind
  readonly followable_id: number
  readonly id: number
}

/** A comment with its record. */
export interface FoundComment extends VisibleFollowable {
  readonly comment: Row<'comments'>
}

/** A comment, if the caller may see its record. Throws `not_found`, `gone`. */
export async function getComment(reader: Reader, { kind, followable_id, id }: CommentKey, user_id: number): Promise<FoundComment> {
  const found = await getCommentedRecord(reader, kind, { id: followable_id, user_id })
  const comment = await findComment(reader, found.followable, id)
  if (!comment) throw notFound()
  return { ...found, comment }
}

/** A comment that the caller may change or delete (supplement 2, "Comments"). Throws {@link DomainError}. */
export async function getWritableComment(tx: Tx, key: CommentKey, action: 'comments.update' | 'comments.delete'): Promise<FoundComment> {
  const found = await getComment(tx, key, tx.actor.user_id)
  await getWritableOrganization(tx, found.followable.organization_id)
  if (!may(action, { role: found.role, is_author: found.comment.user_id === tx.actor.user_id })) throw forbidden()
  await assertFresh(tx, found.comment)
  return found
}
