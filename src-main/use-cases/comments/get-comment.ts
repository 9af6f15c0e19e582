import type { Row } from '#db/schema'
import type { ParentKind } from '#shared/contract/parents'
import { forbidden, notFound } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { findComment } from '#main/store/records/conversations/comment-reader'
import type { Reader, Tx } from '#main/store/core/store'
import { type VisibleParent, getCommentParent } from '../access/parents'
import { assertFresh, getWritableOrganization } from '../access/preconditions'

/** Which comment: its parent's kind and id, and its own id. */
export interface CommentKey {
  readonly kind: ParentKind
  readonly parent_id: number
  readonly id: number
}

/** A comment with its parent. */
export interface FoundComment extends VisibleParent {
  readonly comment: Row<'comments'>
}

/** A comment, if the caller may see its parent. Throws `not_found`, `gone`. */
export async function getComment(reader: Reader, { kind, parent_id, id }: CommentKey, user_id: number): Promise<FoundComment> {
  const found = await getCommentParent(reader, kind, { id: parent_id, user_id })
  const comment = await findComment(reader, found.parent, id)
  if (!comment) throw notFound()
  return { ...found, comment }
}

/** A comment that the caller may change or delete (supplement 2, "Comments"). Throws {@link DomainError}. */
export async function getWritableComment(
  tx: Tx,
  key: CommentKey,
  action: 'comments.update' | 'comments.delete',
): Promise<FoundComment> {
  const found = await getComment(tx, key, tx.actor.user_id)
  await getWritableOrganization(tx, found.parent.organization_id)
  if (!may(action, { role: found.role, is_author: found.comment.user_id === tx.actor.user_id })) throw forbidden()
  assertFresh(tx, found.comment)
  return found
}
