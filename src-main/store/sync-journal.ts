import { sql } from 'kysely'
import type { NewRow, OperationState, Row } from '#db/schema'
import { listStatement, statement } from './statement'
import type { Reader, Tx } from './store'

export type JournalRow = Row<'sync_journal'>

/** Operations whose effect this replica shows over what its remote has confirmed. */
const shownStates = ['pending', 'sent', 'acknowledged'] as const satisfies readonly OperationState[]
/** Operations that wait for a person. */
const openStates = ['conflict', 'rejected', 'parked'] as const satisfies readonly OperationState[]

const nextId = statement<Record<string, never>, { id: number }>((db) =>
  db.selectFrom('sync_journal').select(sql<number>`coalesce(max(id), 0) + 1`.as('id')),
)
const listByState = statement<{ state: OperationState; limit: number }, JournalRow>((db, p) =>
  db.selectFrom('sync_journal').selectAll().where('state', '=', p('state')).orderBy('id').limit(p('limit')),
)
const listShownRows = statement<Record<string, never>, JournalRow>((db) =>
  db
    .selectFrom('sync_journal')
    .selectAll()
    .where('state', 'in', [...shownStates])
    .orderBy('id'),
)
const findRow = statement<{ op_id: string }, JournalRow>((db, p) =>
  db.selectFrom('sync_journal').selectAll().where('op_id', '=', p('op_id')),
)
const listRows = listStatement<string, JournalRow>((db, op_ids) =>
  db.selectFrom('sync_journal').selectAll().where('op_id', 'in', op_ids).orderBy('id'),
)
const countRows = statement<Record<string, never>, { state: OperationState; count: number; bytes: number; oldest: string }>(
  (db) =>
    db
      .selectFrom('sync_journal')
      .select(['state', sql<number>`count(*)`.as('count'), sql<number>`sum(bytes)`.as('bytes')])
      .select(sql<string>`min(created_at)`.as('oldest'))
      .where('state', 'not in', ['settled', 'discarded'])
      .groupBy('state'),
)
const listSettledAfter = statement<{ seq: number }, JournalRow>((db, p) =>
  db.selectFrom('sync_journal').selectAll().where('state', '=', 'settled').where('effect_seq', '>', p('seq')).orderBy('id'),
)
const pruneRows = statement<{ before: string }, unknown>((db, p) =>
  db.deleteFrom('sync_journal').where('state', 'in', ['settled', 'discarded']).where('settled_at', '<', p('before')),
)

/** The next number in the journal. */
export async function nextOperation(tx: Tx): Promise<number> {
  return (await tx.first(nextId, {}))?.id ?? 1
}

/** Writes an operation into the journal, in the transaction of its effect. */
export async function insertOperation(tx: Tx, row: NewRow<'sync_journal'>): Promise<void> {
  const columns = Object.keys(row)
  tx.write(`INSERT INTO sync_journal (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`, Object.values(row))
  return Promise.resolve()
}

/** Changes what is known of an operation on its way; what it is never changes. */
export function updateOperation(
  tx: Tx,
  id: number,
  changes: Partial<Pick<JournalRow, 'state' | 'attempts' | 'last_answer' | 'effect_seq' | 'sent_at' | 'settled_at'>>,
): void {
  const columns = Object.entries(changes)
  tx.write(`UPDATE sync_journal SET ${columns.map(([name]) => `${name} = ?`).join(', ')} WHERE id = ?`, [
    ...columns.map(([, value]) => value),
    id,
  ])
}

/** Operations in one state, oldest first. */
export function listOperations(reader: Reader, state: OperationState, limit = 100_000): Promise<JournalRow[]> {
  return reader.all(listByState, { state, limit })
}

/** Operations that are shown and not yet confirmed, oldest first. */
export function listShownOperations(reader: Reader): Promise<JournalRow[]> {
  return reader.all(listShownRows, {})
}

/** Operations that wait for a person, oldest first. */
export async function listOpenOperations(reader: Reader): Promise<JournalRow[]> {
  const lists = await Promise.all(openStates.map((state) => listOperations(reader, state)))
  return lists.flat().sort((a, b) => a.id - b.id)
}

/** One operation of this replica's journal. */
export function findJournalled(reader: Reader, op_id: string): Promise<JournalRow | undefined> {
  return reader.first(findRow, { op_id })
}

/** Operations of this replica's journal by their ids. */
export function listJournalled(reader: Reader, op_ids: readonly string[]): Promise<JournalRow[]> {
  return reader.allOf(listRows, op_ids)
}

/** How many operations are in each state that is not an end. */
export function countOperations(reader: Reader) {
  return reader.all(countRows, {})
}

/** Operations whose effect a restored remote may have lost. */
export function listSettledSince(reader: Reader, seq: number): Promise<JournalRow[]> {
  return reader.all(listSettledAfter, { seq })
}

/** Forgets operations that ended long ago. */
export async function pruneJournal(tx: Tx, before: string): Promise<void> {
  await tx.run(pruneRows, { before })
}
