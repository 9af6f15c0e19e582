import type { Row } from '#db/schema'
import { comment } from '#shared/records/comment'
import { type PlainInput, newColumns } from '#shared/records/columns'
import { type FollowableRef, followableColumns } from './followable-columns'
import { type Changes, deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

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
