import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { type KeyedPage, type Page, type PageWindow, newestKey, oldestKey } from '../../core/list-query'
import { type FollowableRef, perFollowable } from './followable-columns'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

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
