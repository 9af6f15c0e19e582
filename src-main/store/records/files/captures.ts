import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { toInstant } from '#shared/domain/dates'
import { type KeyedPage, type Page, type PageWindow, newestKey } from '../../core/list-query'
import { listStatement, statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'

/** A capture with the metadata of its file, and the user's first capture of the same content. */
export type CaptureWithBlob = Row<'captures'> & { width: number | null; height: number | null; repeat_of: number | null }

const repeatOf = sql<number | null>`(select min(first.id) from captures as first
  where first.original_sha256 = captures.original_sha256 and first.user_id = captures.user_id
  and first.id < captures.id and first.deleted_at is null)`

const findRow = statement<{ id: number; user_id: number }, CaptureWithBlob>((db, p) =>
  db
    .selectFrom('captures')
    .leftJoin('blobs', 'blobs.sha256', 'captures.sha256')
    .selectAll('captures')
    .select(['blobs.width', 'blobs.height', repeatOf.as('repeat_of')])
    .where('captures.id', '=', p('id'))
    .where('captures.user_id', '=', p('user_id')),
)
const listOpenRows = statement<KeyedPage<{ user_id: number }>, CaptureWithBlob>((db, p) =>
  db
    .selectFrom('captures')
    .leftJoin('blobs', 'blobs.sha256', 'captures.sha256')
    .selectAll('captures')
    .select(['blobs.width', 'blobs.height', repeatOf.as('repeat_of')])
    .where('captures.user_id', '=', p('user_id'))
    .where('captures.expense_id', 'is', null)
    .where('captures.deleted_at', 'is', null)
    .where(sql<boolean>`(captures.created_at, captures.id) < (${p('after_at')}, ${p('after_id')})`)
    .orderBy('captures.created_at', 'desc')
    .orderBy('captures.id', 'desc')
    .limit(p('limit'))
    .offset(p('offset')),
)
const countOpen = statement<{ user_id: number }, { count: number }>((db, p) =>
  db
    .selectFrom('captures')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', p('user_id'))
    .where('expense_id', 'is', null)
    .where('deleted_at', 'is', null),
)
const listRead = listStatement<number, ReadCapture>((db, ids) =>
  db
    .selectFrom('captures')
    .innerJoin('receipt_readings', 'receipt_readings.sha256', 'captures.sha256')
    .select(['captures.id', 'captures.user_id', 'captures.group_uid', 'captures.file_name'])
    .select(['receipt_readings.sha256', 'receipt_readings.state', 'receipt_readings.fields'])
    .where('captures.user_id', 'in', ids)
    .where('captures.expense_id', 'is', null)
    .where('captures.deleted_at', 'is', null)
    .where('captures.state', '=', sql.lit('ready'))
    .where('receipt_readings.state', '=', sql.lit('read'))
    .orderBy('captures.id'),
)
const nextProcessing = statement<{ after_id: number }, Row<'captures'>>((db, p) =>
  db
    .selectFrom('captures')
    .selectAll()
    .where('state', '=', sql.lit('processing'))
    .where('deleted_at', 'is', null)
    .where('id', '>', p('after_id'))
    .orderBy('id')
    .limit(1),
)
const findFromFolder = statement<{ user_id: number; original_sha256: string }, { id: number }>((db, p) =>
  db
    .selectFrom('captures')
    .select('id')
    .where('original_sha256', '=', p('original_sha256'))
    .where('user_id', '=', p('user_id'))
    .where('source', '=', 'folder')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1),
)
const listRows = listStatement<number, Row<'captures'>>((db, ids) => db.selectFrom('captures').selectAll().where('id', 'in', ids))

/** How long a deleted capture can be restored. */
const undoMs = 7 * 24 * 60 * 60 * 1000

/** The instant before which deleted captures cannot be restored. */
export function undoneUntil({ now }: Pick<Tx, 'now'>): string {
  return toInstant(new Date(Date.parse(now) - undoMs))
}

/** A user's capture, including a used or deleted one. */
export function findCapture(reader: Reader, key: { id: number; user_id: number }) {
  return reader.first(findRow, key)
}

/** The capture that was made earlier from the same content in a watched folder, including a used one. */
export function findCaptureFromFolder(reader: Reader, key: { user_id: number; original_sha256: string }) {
  return reader.first(findFromFolder, key)
}

/** Captures by id, of any user. */
export function listCaptures(reader: Reader, ids: readonly number[]): Promise<Row<'captures'>[]> {
  return reader.allOf(listRows, ids)
}

/** A page of a user's captures that are on no expense, newest first. */
export async function pageOpenCaptures(reader: Reader, user_id: number, window: PageWindow): Promise<Page<CaptureWithBlob>> {
  const { limit, offset } = window
  const rows = await reader.all(listOpenRows, { user_id, limit, offset, ...newestKey(window) })
  return { rows, count: (await reader.first(countOpen, { user_id }))?.count ?? 0 }
}

/** A capture with its reading. */
export type ReadCapture = Pick<Row<'captures'>, 'id' | 'user_id' | 'group_uid' | 'file_name'> &
  Pick<Row<'receipt_readings'>, 'sha256' | 'state' | 'fields'>

/** Users' captures that are on no expense and were read, oldest first. */
export function listReadCaptures(reader: Reader, user_ids: readonly number[]): Promise<ReadCapture[]> {
  return reader.allOf(listRead, user_ids)
}

/** The next capture after an id that needs processing; undefined if there is none. */
export function findProcessing(reader: Reader, after_id: number): Promise<Row<'captures'> | undefined> {
  return reader.first(nextProcessing, { after_id })
}

type Capture = Row<'captures'>
type Changes = Partial<Omit<Capture, 'id' | 'uid' | 'user_id' | 'created_at'>>

const insertRow = statement<Omit<Capture, 'id'>, { id: number }>((db, p) =>
  db
    .insertInto('captures')
    .values({
      uid: p('uid'),
      user_id: p('user_id'),
      sha256: p('sha256'),
      original_sha256: p('original_sha256'),
      file_name: p('file_name'),
      content_type: p('content_type'),
      bytes: p('bytes'),
      source: p('source'),
      state: p('state'),
      problem: p('problem'),
      keeps_location: p('keeps_location'),
      captured_at: p('captured_at'),
      group_uid: p('group_uid'),
      note: p('note'),
      expense_id: p('expense_id'),
      created_at: p('created_at'),
      deleted_at: p('deleted_at'),
    })
    .returning('id'),
)
const moveRows = statement<{ user_id: number }, unknown>((db, p) =>
  db
    .updateTable('captures')
    .set({ user_id: p('user_id') })
    .where('expense_id', 'is', null),
)
const deleteRows = statement<Record<string, never>, unknown>((db) => db.deleteFrom('captures'))
const deleteUsed = statement<Record<string, never>, unknown>((db) => db.deleteFrom('captures').where('expense_id', 'is not', null))

/** Stores a new capture of the acting user for processing; returns its id. Its file must already be durable and have a row. */
export async function insertCapture(
  tx: Tx,
  values: Pick<
    Capture,
    'sha256' | 'file_name' | 'content_type' | 'bytes' | 'source' | 'keeps_location' | 'captured_at' | 'group_uid' | 'note'
  >,
): Promise<number> {
  const inserted = await tx.first(insertRow, {
    ...values,
    uid: tx.clock.uid(),
    user_id: tx.actor.user_id,
    original_sha256: values.sha256,
    state: 'processing',
    problem: null,
    expense_id: null,
    created_at: tx.now,
    deleted_at: null,
  })
  if (!inserted) throw new Error('A capture was stored without an id.')
  signalCaptures(tx)
  return inserted.id
}

/** Only the owner acts on captures. */
function signalCaptures(tx: Tx): void {
  tx.signal({ topic: 'captures', user_id: tx.actor.user_id })
}

/** Changes a capture of the acting user. Captures belong to this instance and are in no change log. */
export async function updateCapture(tx: Tx, id: number, changes: Changes): Promise<void> {
  signalCaptures(tx)
  if (Object.keys(changes).length > 0) await tx.db.updateTable('captures').set(changes).where('id', '=', id).execute()
}

/** Gives all captures to one user, whose id on the replica differs. Captures on an expense already belong to the remote. */
export async function handOverCaptures(tx: Tx, user_id: number): Promise<void> {
  await tx.run(deleteUsed, {})
  await tx.run(moveRows, { user_id })
}

/** Deletes all captures: their users are about to be removed. */
export async function forgetCaptures(tx: Tx): Promise<void> {
  await tx.run(deleteRows, {})
}
