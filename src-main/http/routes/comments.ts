import type { Row } from '#db/schema'
import { commentRoutes } from '#shared/contract/comments'
import { type FollowableKind, followableKinds } from '#shared/contract/followables'
import { listComments } from '#main/store/records/conversations/comment-reader'
import { getCommentedRecord } from '#main/use-cases/access/followables'
import { etagOf } from '#main/use-cases/access/preconditions'
import { createComment, deleteComment, getComment, updateComment } from '#main/use-cases/comments/comments'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { type CommentView, toComments, toOneComment } from '../representations/comments'

async function member(context: Context, row: Row<'comments'>, view: CommentView) {
  return { body: await toOneComment(context, row, view), etag: etagOf(row) }
}

function endpointsOf(kind: FollowableKind): Endpoint[] {
  const routes = commentRoutes[kind]
  const viewOf = (id: number, isUnicode = false) => ({ followable: { kind, id }, isUnicode })
  return [
    query(routes.list, async (context, { params: { followable_id }, query: { emoji_in_unicode }, list }) => {
      const { followable } = await getCommentedRecord(context.reader, kind, { id: followable_id, user_id: context.caller.user_id })
      const isNewestFirst = list.sort[0]?.descending === true
      const { rows, frame, next } = toPage(list, await listComments(context.reader, followable, { ...windowOf(list), isNewestFirst }))
      return { body: { ...frame, comments: await toComments(context, rows, viewOf(followable_id, emoji_in_unicode)) }, next }
    }),
    query(routes.show, async (context, { params, query: { emoji_in_unicode } }) => {
      const { comment } = await getComment(context.reader, { kind, ...params }, context.caller.user_id)
      return member(context, comment, viewOf(params.followable_id, emoji_in_unicode))
    }),
    mutation(routes.create, async (context, { params: { followable_id }, query: { emoji_in_unicode }, body }) =>
      member(context, await createComment(context.tx, { kind, followable_id, ...body }), viewOf(followable_id, emoji_in_unicode)),
    ),
    mutation(routes.update, async (context, { params, query: { emoji_in_unicode }, body }) =>
      member(context, await updateComment(context.tx, { kind, ...params }, body), viewOf(params.followable_id, emoji_in_unicode)),
    ),
    mutation(routes.destroy, async ({ tx }, { params }) => {
      await deleteComment(tx, { kind, ...params })
      return { body: null }
    }),
  ]
}

/** Comments under each followable record (contract 4.8). */
export const commentEndpoints: Endpoint[] = followableKinds.flatMap(endpointsOf)
