import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { type PlainInput, newColumns } from '#shared/records/columns'
import { comment } from '#shared/records/comment'
import { type KeyedPage, type Page, type PageWindow, newestKey, oldestKey } from '../../core/list-query'
import { type Changes, deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { type FollowableRef, followableColumns, perFollowable } from './followable-columns'

const findRow = perFollowable((column) =>
  statement<{ followable_id: number; id: number }, Row<'comments'>>((db, p) =>
    db.selectFrom('comments').selectAll().where('id', '=', p('id')).where(column, '=', p('followable_id')).where('deleted_at', 'is', null),
  ),
)
/** Oldest first (supplement 3, "Order of lists"). Exported so that a test can check its index. */
export const listCommentRows = perFollowable((column) =>
  statement<KeyedPage<{ followable_id: number }>, Row<'comments'>>((db, p) =>
    db
      .selectFrom('comments')
      .selectAll()
      .where(column, '=', p('followable_id'))
      .where(sql<SqlBool>`(created_at, id) > (${p('after_at')}, ${p('after_id')})`)
      .orderBy('created_at')
      .orderBy('id')
      .limit(p('limit'))
      .offset(p('offset')),
  ),
)
/** Newest first, if requested. */
const listNewestRows = perFollowable((column) =>
  statement<KeyedPage<{ followable_id: number }>, Row<'comments'>>((db, p) =>
    db
      .selectFrom('comments')
      .selectAll()
      .where(column, '=', p('followable_id'))
      .where(sql<SqlBool>`(created_at, id) < (${p('after_at')}, ${p('after_id')})`)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(p('limit'))
      .offset(p('offset')),
  ),
)
const countRows = perFollowable((column) =>
  statement<{ followable_id: number }, { count: number }>((db, p) =>
    db
      .selectFrom('comments')
      .select(sql<number>`count(*)`.as('count'))
      .where(column, '=', p('followable_id')),
  ),
)

/** A comment that is not deleted, by its record and id. */
export function findComment(reader: Reader, { kind, id: followable_id }: Pick<FollowableRef, 'kind' | 'id'>, id: number) {
  return reader.first(findRow[kind], { followable_id, id })
}

/** A page of a followable record's comments, including deleted ones. */
export async function listComments(
  reader: Reader,
  { kind, id: followable_id }: Pick<FollowableRef, 'kind' | 'id'>,
  { isNewestFirst, ...window }: PageWindow & { readonly isNewestFirst: boolean },
): Promise<Page<Row<'comments'>>> {
  const rows = isNewestFirst
    ? await reader.all(listNewestRows[kind], { followable_id, ...window, ...newestKey(window) })
    : await reader.all(listCommentRows[kind], { followable_id, ...window, ...oldestKey(window) })
  const counted = await reader.first(countRows[kind], { followable_id })
  return { rows, count: counted?.count ?? 0 }
}

/** The users whom comments mention, by comment. */
export async function listMentionedIds(reader: Reader, comment_ids: readonly number[]): Promise<ReadonlyMap<number, number[]>> {
  if (comment_ids.length === 0) return new Map()
  const rows = await reader.db
    .selectFrom('comment_mentions')
    .selectAll()
    .where('comment_id', 'in', [...comment_ids])
    .orderBy('user_id')
    .execute()
  const grouped = Map.groupBy(rows, ({ comment_id }) => comment_id)
  return new Map([...grouped].map(([comment_id, mentions]) => [comment_id, mentions.map(({ user_id }) => user_id)]))
}

const insertMention = statement<Row<'comment_mentions'>, unknown>((db, p) =>
  db.insertInto('comment_mentions').values({ comment_id: p('comment_id'), user_id: p('user_id') }),
)
const deleteMentions = statement<{ comment_id: number }, unknown>((db, p) =>
  db.deleteFrom('comment_mentions').where('comment_id', '=', p('comment_id')),
)

/** The writable attributes of a comment. */
export type CommentInput = PlainInput<typeof comment.attributes> & { readonly content: string }

interface Mentioning {
  readonly mentioned_ids: readonly number[]
}

function scopeOf({ organization_id, receiver_id }: FollowableRef) {
  return { organization_id, user_id: receiver_id }
}

/** Stores a new comment of the actor. */
export async function insertComment(
  tx: Tx,
  followable: FollowableRef,
  { mentioned_ids, ...input }: CommentInput & Mentioning,
): Promise<Row<'comments'>> {
  const values = { ...newColumns(comment.attributes, input), user_id: tx.actor.user_id, ...followableColumns(followable) }
  const row = await insertRecord(tx, 'comments', { values, scope: scopeOf(followable) })
  await writeMentions(tx, row.id, mentioned_ids)
  return row
}

/** Changes a comment; writes nothing if nothing differs. */
export async function updateComment(
  tx: Tx,
  followable: FollowableRef,
  { row, changes, mentioned_ids }: Mentioning & { row: Row<'comments'>; changes: Changes<'comments'> },
): Promise<Row<'comments'>> {
  const stored = await updateRecord(tx, 'comments', { row, changes, scope: scopeOf(followable) })
  if (stored.version === row.version) return row
  await tx.run(deleteMentions, { comment_id: row.id })
  await writeMentions(tx, row.id, mentioned_ids)
  return stored
}

/** Deletes a comment. Lists still show that there was one. */
export async function deleteComment(tx: Tx, followable: FollowableRef, row: Row<'comments'>): Promise<void> {
  await deleteRecord(tx, 'comments', { row, scope: scopeOf(followable) })
}

async function writeMentions(tx: Tx, comment_id: number, user_ids: readonly number[]): Promise<void> {
  for (const user_id of user_ids) await tx.run(insertMention, { comment_id, user_id })
}
