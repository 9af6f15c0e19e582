import type { Row } from '#db/schema'
import { type ParentRef, parentColumns } from './parent-columns'
import { deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

const insertMention = statement<Row<'comment_mentions'>, unknown>((db, p) =>
  db.insertInto('comment_mentions').values({ comment_id: p('comment_id'), user_id: p('user_id') }),
)
const deleteMentions = statement<{ comment_id: number }, unknown>((db, p) =>
  db.deleteFrom('comment_mentions').where('comment_id', '=', p('comment_id')),
)

/** What a comment says and whom it mentions. */
export interface CommentText {
  readonly content: string
  readonly mentioned_ids: readonly number[]
}

function scopeOf({ organization_id, receiver_id }: ParentRef) {
  return { organization_id, user_id: receiver_id }
}

/** Stores a new comment of the actor. */
export async function insertComment(
  tx: Tx,
  parent: ParentRef,
  { content, mentioned_ids }: CommentText,
): Promise<Row<'comments'>> {
  const values = { user_id: tx.actor.user_id, content, ...parentColumns(parent) }
  const row = await insertRecord(tx, 'comments', { values, scope: scopeOf(parent) })
  await writeMentions(tx, row.id, mentioned_ids)
  return row
}

/** Changes what a comment says. */
export async function updateComment(
  tx: Tx,
  parent: ParentRef,
  { row, content, mentioned_ids }: CommentText & { row: Row<'comments'> },
): Promise<Row<'comments'>> {
  const stored = await updateRecord(tx, 'comments', { row, changes: { content }, scope: scopeOf(parent) })
  await tx.run(deleteMentions, { comment_id: row.id })
  await writeMentions(tx, row.id, mentioned_ids)
  return stored
}

/** Deletes a comment: lists still show that there was one. */
export async function deleteComment(tx: Tx, parent: ParentRef, row: Row<'comments'>): Promise<void> {
  await deleteRecord(tx, 'comments', { row, scope: scopeOf(parent) })
}

async function writeMentions(tx: Tx, comment_id: number, user_ids: readonly number[]): Promise<void> {
  for (const user_id of user_ids) await tx.run(insertMention, { comment_id, user_id })
}
