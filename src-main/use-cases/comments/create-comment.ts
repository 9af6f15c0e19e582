import type { Row } from '#db/schema'
import type { FollowableKind } from '#shared/contract/followables'
import type { CommentInput } from '#main/store/records/conversations/comment-writer'
import type { Tx } from '#main/store/core/store'
import { getCommentedRecord } from '../access/followables'
import { getWritableOrganization } from '../access/preconditions'
import { addComment } from './add-comment'

/**
 * Creates a comment; anyone who sees the followable record may (contract 4.8). Throws {@link DomainError}: `not_found`, `gone`,
 * `expired_organization`.
 */
export async function createComment(
  tx: Tx,
  { kind, followable_id, ...input }: CommentInput & { readonly kind: FollowableKind; readonly followable_id: number },
): Promise<Row<'comments'>> {
  const { followable } = await getCommentedRecord(tx, kind, { id: followable_id, user_id: tx.actor.user_id })
  await getWritableOrganization(tx, followable.organization_id)
  return addComment(tx, { followable, ...input })
}
