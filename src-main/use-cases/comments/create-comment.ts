import type { Row } from '#db/schema'
import type { ParentKind } from '#shared/contract/parents'
import type { CommentInput } from '#main/store/records/conversations/comment-writer'
import type { Tx } from '#main/store/core/store'
import { getCommentParent } from '../access/parents'
import { getWritableOrganization } from '../access/preconditions'
import { addComment } from './add-comment'

/** Anyone who sees the parent may comment on it (contract 4.8). Throws {@link DomainError}: `not_found`, `gone`, `expired_organization`. */
export async function createComment(
  tx: Tx,
  { kind, parent_id, ...input }: CommentInput & { readonly kind: ParentKind; readonly parent_id: number },
): Promise<Row<'comments'>> {
  const { parent } = await getCommentParent(tx, kind, { id: parent_id, user_id: tx.actor.user_id })
  await getWritableOrganization(tx, parent.organization_id)
  return addComment(tx, { parent, ...input })
}
