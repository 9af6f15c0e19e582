import type { Row } from '#db/schema'
import { type Comment, commentRoutes } from '#shared/contract/comments'
import { type FollowableKind, followableKinds, followablePaths } from '#shared/contract/followables'
import { translate } from '#shared/i18n/translations'
import { comment as definition } from '#shared/records/comment'
import { listComments, listMentionedIds } from '#main/store/records/conversations/comments'
import type { FollowableRef } from '#main/store/records/conversations/followable-columns'
import { getCommentedRecord } from '#main/use-cases/access/followables'
import { etagOf } from '#main/use-cases/access/preconditions'
import { createComment, deleteComment, getComment, presentEmoji, splitAtMentions, updateComment } from '#main/use-cases/comments/comments'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { type People, loadPeople, toMentioned, toUserRepresentation } from '../representations/people'
import { toRecord } from '../representations/records'

/** How to show comments. */
interface CommentView {
  readonly followable: Pick<FollowableRef, 'kind' | 'id'>
  readonly isUnicode: boolean
}

/** Comments in the contract's form (2.11); reads everything they embed together. */
async function toComments(context: Context, rows: ReadonlyArray<Row<'comments'>>, view: CommentView): Promise<Comment[]> {
  const there = rows.filter(({ deleted_at }) => deleted_at === null)
  const mentions = await listMentionedIds(
    context.reader,
    there.map(({ id }) => id),
  )
  const user_ids = [...rows.map(({ user_id }) => user_id), ...[...mentions.values()].flat()]
  const people = await loadPeople(context, { user_ids, with_emails: true })
  return rows.map((row) => ({
    ...withAuthor(people, row),
    ...bodyOf(row, { context, people, view, mentioned_ids: mentions.get(row.id) ?? [] }),
  }))
}

/** One comment. */
async function toOneComment(context: Context, row: Row<'comments'>, view: CommentView): Promise<Comment> {
  const [comment] = await toComments(context, [row], view)
  if (!comment) throw new Error('A comment has no representation.')
  return comment
}

function withAuthor(people: People, row: Row<'comments'>) {
  const { mention_name: _, ...user } = toUserRepresentation(people, row.user_id)
  return { ...toRecord(definition, row, people), deleted_at: row.deleted_at, user }
}

interface Embedded {
  readonly context: Context
  readonly people: People
  readonly view: CommentView
  readonly mentioned_ids: readonly number[]
}

/** The text, or a notice that the comment was removed (supplement 2, "Comments"). */
function bodyOf(row: Row<'comments'>, { context, people, view, mentioned_ids }: Embedded) {
  if (row.deleted_at !== null) {
    const notice = translate(context.locale, 'activities:removed_comment')
    return { content: notice, content_html: escapeHtml(notice), mentioned_users: [], _links: [] }
  }
  const mentioned_users = mentioned_ids.map((id) => toMentioned(people, id))
  const href = `${followablePaths[view.followable.kind]}/${view.followable.id}/comments/${row.id}`
  const _links = [
    { rel: 'self', method: 'GET', href },
    { rel: 'update', method: 'PUT', href },
    { rel: 'destroy', method: 'DELETE', href },
  ]
  const present = (text: string) => presentEmoji(text, view.isUnicode)
  const html = splitAtMentions(row.content, mentioned_users).map((part) =>
    part.kind === 'text' ? escapeHtml(present(part.text)) : mentionHtml(part.text, part.user),
  )
  return { content: present(row.content), content_html: html.join(''), mentioned_users, _links }
}

/** A mention links to the user's mailbox; without one it has no link. */
function mentionHtml(text: string, { name, email }: { name: string; email: string | null }): string {
  const title = `class="mention" title="${escapeHtml(name)}"`
  if (email === null) return `<span ${title}>${escapeHtml(text)}</span>`
  return `<a href="mailto:${encodeURIComponent(email).replace('%40', '@')}" ${title}>${escapeHtml(text)}</a>`
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities.get(character) ?? character)
}

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
