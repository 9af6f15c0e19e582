import type { Row } from '#db/schema'
import type { Comment } from '#shared/contract/comments'
import { followablePaths } from '#shared/contract/followables'
import { comment as definition } from '#shared/records/comment'
import { translate } from '#shared/i18n/translations'
import { listMentionedIds } from '#main/store/records/conversations/comment-reader'
import type { FollowableRef } from '#main/store/records/conversations/followable-columns'
import { presentEmoji, splitAtMentions } from '#main/use-cases/comments/comments'
import type { Context } from '../endpoint'
import { type People, loadPeople, toMentioned, toUserRepresentation } from './people'
import { toRecord } from './records'

/** How to show comments. */
export interface CommentView {
  readonly followable: Pick<FollowableRef, 'kind' | 'id'>
  readonly isUnicode: boolean
}

/** Comments in the contract's form (2.11); reads everything they embed together. */
export async function toComments(context: Context, rows: ReadonlyArray<Row<'comments'>>, view: CommentView): Promise<Comment[]> {
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
export async function toOneComment(context: Context, row: Row<'comments'>, view: CommentView): Promise<Comment> {
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
