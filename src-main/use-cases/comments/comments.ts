import { emojify, unemojify } from 'node-emoji'
import type { Row } from '#db/schema'
import type { FollowableKind } from '#shared/contract/followables'
import { forbidden, notFound } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { toColumns } from '#shared/records/columns'
import { comment as definition } from '#shared/records/comment'
import type { Reader, Tx } from '#main/store/core/store'
import { writtenDetails } from '#main/store/records/conversations/activity-details'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import {
  type CommentInput,
  deleteComment as storeDeletion,
  findComment,
  insertComment,
  updateComment as storeComment,
} from '#main/store/records/conversations/comments'
import type { FollowableRef } from '#main/store/records/conversations/followable-columns'
import { listMentionablesNamed } from '#main/store/records/conversations/mentionable-reader'
import { addParticipant } from '#main/store/records/conversations/participants'
import { type Followable, type VisibleFollowable, getCommentedRecord, toSubject, touchFollowable } from '../access/followables'
import { assertFresh, getWritableOrganization } from '../access/preconditions'

/** Text for storage: emojis as unicode, whether sent so or as codes such as `:+1:`. An unknown code stays text. */
function toUnicodeEmoji(text: string): string {
  return emojify(text)
}

/** Text for responses: emojis as codes unless unicode was requested (contract 4.2, 4.8). An emoji without a code stays. */
export function presentEmoji(text: string, isUnicode: boolean): string {
  return isUnicode ? text : unemojify(text)
}

/** `@` and a name, not inside a word: the @ of an e-mail address is no mention. */
const mention = /(?<![\p{L}\p{N}_@.+-])@([\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+){0,24})/gu

/** The possible names in a text, longest first: in `@mel.Then` the mention is `mel`. */
function readings(name: string): string[] {
  const cuts = [...name.matchAll(/[.-]/g)].map(({ index }) => index).toReversed()
  return [name, ...cuts.map((cut) => name.slice(0, cut))]
}

/** A part of a comment: plain text, or the mention of a user as written, with `@`. */
type CommentPart<U> =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'mention'; readonly text: string; readonly user: U }

/** Splits a comment at its mentions of these users. */
export function splitAtMentions<U extends { mention_name: string }>(content: string, users: readonly U[]): CommentPart<U>[] {
  const named = new Map(users.map((user) => [user.mention_name.toLowerCase(), user]))
  const parts: CommentPart<U>[] = []
  let end = 0
  for (const { 1: name = '', index } of content.matchAll(mention)) {
    const written = readings(name).find((reading) => named.has(reading.toLowerCase()))
    const user = written === undefined ? undefined : named.get(written.toLowerCase())
    if (written === undefined || !user) continue
    parts.push({ kind: 'text', text: content.slice(end, index) }, { kind: 'mention', text: `@${written}`, user })
    end = index + 1 + written.length
  }
  return [...parts, { kind: 'text' as const, text: content.slice(end) }].filter(({ text }) => text !== '')
}

/** The users that a comment mentions, each once (contract 2.11). Names of other users than the record's mentionables are plain text. */
async function findMentioned(tx: Tx, followable: FollowableRef, content: string): Promise<Row<'users'>[]> {
  const names = [...content.matchAll(mention)].flatMap(({ 1: name = '' }) => readings(name))
  const users = await listMentionablesNamed(tx, { followable, asked_by: tx.actor.user_id }, [...new Set(names)])
  const mentioned = splitAtMentions(content, users).flatMap((part) => (part.kind === 'mention' ? [part.user] : []))
  return [...new Set(mentioned)]
}

/** The kind and id of a comment's record, and the comment's id. */
interface CommentKey {
  readonly kind: FollowableKind
  readonly followable_id: number
  readonly id: number
}

/** A comment with its record. */
interface FoundComment extends VisibleFollowable {
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
async function getWritableComment(tx: Tx, key: CommentKey, action: 'comments.update' | 'comments.delete'): Promise<FoundComment> {
  const found = await getComment(tx, key, tx.actor.user_id)
  await getWritableOrganization(tx, found.followable.organization_id)
  if (!may(action, { role: found.role, is_author: found.comment.user_id === tx.actor.user_id })) throw forbidden()
  await assertFresh(tx, found.comment)
  return found
}

/**
 * Adds a comment of the actor; they and those they mention become participants (contract 4.12). The followable record's row changes: read it again
 * for its version and counts. The caller checks the permission.
 */
export async function addComment(
  tx: Tx,
  { followable, ...input }: CommentInput & { readonly followable: Followable },
): Promise<Row<'comments'>> {
  const content = toUnicodeEmoji(input.content)
  const mentioned_ids = (await findMentioned(tx, followable, content)).map(({ id }) => id)
  const comment = await insertComment(tx, followable, { ...input, content, mentioned_ids })
  for (const user_id of new Set([tx.actor.user_id, ...mentioned_ids])) await addParticipant(tx, followable, user_id)
  await touchFollowable(tx, followable)
  await recordActivity(tx, {
    organization_id: followable.organization_id,
    subject: toSubject(followable),
    source: { type: 'Comment', id: comment.id },
    event: 'comment_created',
    details: [{ attribute: 'content', from: null, to: content }],
  })
  return comment
}

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

/** Changes the caller's own comment; users it now mentions become participants (supplement 2, "Comments"). Throws {@link DomainError}. */
export async function updateComment(tx: Tx, key: CommentKey, input: CommentInput): Promise<Row<'comments'>> {
  const { followable, comment } = await getWritableComment(tx, key, 'comments.update')
  const content = toUnicodeEmoji(input.content)
  const changes = toColumns(definition.attributes, { ...input, content })
  const mentioned_ids = (await findMentioned(tx, followable, content)).map(({ id }) => id)
  const stored = await storeComment(tx, followable, { row: comment, changes, mentioned_ids })
  if (stored.version === comment.version) return comment
  for (const user_id of mentioned_ids) await addParticipant(tx, followable, user_id)
  await touchFollowable(tx, followable)
  await recordActivity(tx, {
    organization_id: followable.organization_id,
    subject: toSubject(followable),
    source: { type: 'Comment', id: comment.id },
    event: 'comment_updated',
    details: writtenDetails(definition.attributes, comment, stored),
  })
  return stored
}

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
