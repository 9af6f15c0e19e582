import { z } from 'zod'
import { comment } from '#shared/records/comment'
import { createBody } from './attributes'
import {
  followableActions,
  type FollowableKind,
  emojiPageQuery,
  emojiQuery,
  followableMemberParams,
  followableParams,
  followablePaths,
  followableWords,
  perFollowableKind,
} from './followables'
import { recordShape, writableOf } from './record-attributes'
import { imageEntry, instantText, pageOf, userRepresentation } from './representations'
import { nothing } from './requests'
import { type ListOptions, route } from './route'

/** A comment (contract 2.11). A deleted one has a notice instead of its content. */
export const commentRepresentation = z
  .object({
    ...recordShape(comment),
    /** The escaped content with links for mentions; safe to show unchanged. */
    content_html: z.string(),
    deleted_at: instantText.nullable(),
    user: userRepresentation.omit({ mention_name: true }),
    mentioned_users: z.array(
      z.object({ name: z.string(), email: z.string().nullable(), mention_name: z.string(), avatar: z.array(imageEntry) }),
    ),
  })
  .meta({ id: 'Comment' })
export type Comment = z.infer<typeof commentRepresentation>

/** Comments are listed oldest first; a client that shows the end of a conversation requests `-created_at`. They have no filters. */
const commentListOptions = { attributes: {}, sortable: { created_at: 'instant' }, order: 'created_at' } as const satisfies ListOptions

const body = createBody(writableOf(comment.attributes))

function pathsOf(kind: FollowableKind) {
  const path = `${followablePaths[kind]}/:${kind}_id/comments`
  const item = { query: emojiQuery, response: commentRepresentation, action: followableActions[kind] }
  return {
    collection: { ...item, path, params: followableParams(kind) },
    member: { ...item, path: `${path}/:id`, params: followableMemberParams(kind), status: 200 },
  } as const
}

function routesOf(kind: FollowableKind) {
  const { collection, member } = pathsOf(kind)
  return {
    list: route({
      ...collection,
      name: `${kind}_comments.list`,
      method: 'GET',
      summary: `List the comments of ${followableWords[kind]}`,
      query: emojiPageQuery,
      body: nothing,
      response: pageOf('comments', commentRepresentation),
      status: 200,
      list: commentListOptions,
    }),
    show: route({
      ...member,
      name: `${kind}_comments.show`,
      method: 'GET',
      summary: `Show a comment of ${followableWords[kind]}`,
      body: nothing,
    }),
    create: route({
      ...collection,
      name: `${kind}_comments.create`,
      method: 'POST',
      summary: `Comment on ${followableWords[kind]}`,
      body,
      status: 201,
    }),
    update: route({
      ...member,
      name: `${kind}_comments.update`,
      action: 'comments.update',
      method: 'PUT',
      summary: `Change a comment of ${followableWords[kind]}`,
      body,
    }),
    destroy: route({
      ...member,
      name: `${kind}_comments.destroy`,
      action: 'comments.delete',
      method: 'DELETE',
      summary: `Delete a comment of ${followableWords[kind]}`,
      body: nothing,
      response: z.null(),
      status: 204,
    }),
  }
}

/** The five operations on comments under each followable record (contract 4.8). */
export const commentRoutes = perFollowableKind(routesOf)
