import { sql } from 'kysely'
import { z } from 'zod'
import type { NewRow, Row } from '#db/schema'
import type { OperationState } from '#db/sync-tables'
import { operation, operationResponse } from '#shared/contract/sync'
import { listStatement, statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

type StoredRow = Row<'sync_journal'>

/** The columns of the journal that hold JSON, with their schemas. */
const parts = {
  body: z.unknown(),
  refs: operation.shape.refs,
  blobs: operation.shape.blobs,
  minted: operation.shape.minted,
  seen: operation.shape.seen,
  after_ops: operation.shape.after,
  depends_on: z.array(z.string()),
  base: operation.shape.base,
  mine: operation.shape.mine,
  last_answer: operationResponse.nullable(),
  method: operation.shape.method,
} as const

/** An operation of this replica's journal. */
export type JournalEntry = Omit<StoredRow, keyof typeof parts> & { readonly [K in keyof typeof parts]: z.output<(typeof parts)[K]> }

/** The values of a new entry. */
export type NewJournalEntry = Omit<NewRow<'sync_journal'>, keyof typeof parts> & {
  readonly [K in keyof typeof parts]: z.output<(typeof parts)[K]>
}

function toEntry(row: StoredRow): JournalEntry {
  const json = (text: string): unknown => JSON.parse(text)
  return {
    ...row,
    body: json(row.body),
    refs: parts.refs.parse(json(row.refs)),
    blobs: parts.blobs.parse(json(row.blobs)),
    minted: parts.minted.parse(json(row.minted)),
    seen: parts.seen.parse(json(row.seen)),
    after_ops: parts.after_ops.parse(json(row.after_ops)),
    depends_on: parts.depends_on.parse(json(row.depends_on)),
    base: parts.base.parse(json(row.base)),
    mine: parts.mine.parse(json(row.mine)),
    last_answer: row.last_answer === null ? null : parts.last_answer.parse(json(row.last_answer)),
    method: parts.method.parse(row.method),
  }
}

/** The states in which this replica shows an operation's effect over the confirmed data. */
const shownStates = ['pending', 'sent', 'acknowledged'] as const satisfies readonly OperationState[]
const nextId = statement<Record<string, never>, { id: number }>((db) =>
  db.selectFrom('sync_journal').select(sql<number>`coalesce(max(id), 0) + 1`.as('id')),
)
const listByState = statement<{ state: OperationState; limit: number }, StoredRow>((db, p) =>
  db.selectFrom('sync_journal').selectAll().where('state', '=', p('state')).orderBy('id').limit(p('limit')),
)
const listShownRows = statement<Record<string, never>, StoredRow>((db) =>
  db
    .selectFrom('sync_journal')
    .selectAll()
    .where('state', 'in', [...shownStates])
    .orderBy('id'),
)
const listWaitingRows = statement<{ after: number; limit: number }, StoredRow>((db, p) =>
  db
    .selectFrom('sync_journal')
    .selectAll()
    .where('state', 'in', ['pending', 'sent'])
    .where('id', '>', p('after'))
    .orderBy('id')
    .limit(p('limit')),
)
const listConfirming = statement<Record<string, never>, Pick<StoredRow, 'id' | 'op_id' | 'effect_seq'>>((db) =>
  db.selectFrom('sync_journal').select(['id', 'op_id', 'effect_seq']).where('state', '=', 'acknowledged').orderBy('id'),
)
const listUnsentRows = statement<Record<string, never>, StoredRow>((db) =>
  db.selectFrom('sync_journal').selectAll().where('state', '=', 'pending').where('policy', '=', 'conditional').orderBy('id'),
)
const listProgressOf = listStatement<number, Pick<StoredRow, 'id' | 'state' | 'attempts'>>((db, numbers) =>
  db.selectFrom('sync_journal').select(['id', 'state', 'attempts']).where('id', 'in', numbers),
)
const listShownIds = statement<Record<string, never>, { id: number }>((db) =>
  db
    .selectFrom('sync_journal')
    .select('id')
    .where('state', 'in', [...shownStates])
    .orderBy('id'),
)
const listNumbered = listStatement<number, StoredRow>((db, numbers) => db.selectFrom('sync_journal').selectAll().where('id', 'in', numbers))
const findRow = statement<{ op_id: string }, StoredRow>((db, p) =>
  db.selectFrom('sync_journal').selectAll().where('op_id', '=', p('op_id')),
)
const listRows = listStatement<string, StoredRow>((db, op_ids) =>
  db.selectFrom('sync_journal').selectAll().where('op_id', 'in', op_ids).orderBy('id'),
)
const countRows = statement<Record<string, never>, { state: OperationState; count: number; bytes: number; oldest: string }>((db) =>
  db
    .selectFrom('sync_journal')
    .select(['state', sql<number>`count(*)`.as('count'), sql<number>`sum(bytes)`.as('bytes')])
    .select(sql<string>`min(created_at)`.as('oldest'))
    .where('state', 'not in', ['settled', 'discarded'])
    .groupBy('state'),
)
const listSettledAfter = statement<{ seq: number }, StoredRow>((db, p) =>
  db.selectFrom('sync_journal').selectAll().where('state', '=', 'settled').where('effect_seq', '>', p('seq')).orderBy('id'),
)
const pruneRows = statement<{ before: string }, unknown>((db, p) =>
  db.deleteFrom('sync_journal').where('state', 'in', ['settled', 'discarded']).where('settled_at', '<', p('before')),
)

/** The next number in the journal. */
export async function nextOperation(tx: Tx): Promise<number> {
  return (await tx.first(nextId, {}))?.id ?? 1
}

/** Writes an operation to the journal, in the transaction of its effect. */
export async function insertOperation(tx: Tx, entry: NewJournalEntry): Promise<void> {
  const isJson = (name: string) => name in parts && name !== 'method'
  const row: Record<string, unknown> = Object.fromEntries(
    Object.entries<unknown>(entry).map(([name, value]) => [
      name,
      isJson(name) && (name !== 'last_answer' || value !== null) ? JSON.stringify(value ?? null) : value,
    ]),
  )
  const columns = Object.keys(row)
  await tx.write(`INSERT INTO sync_journal (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`, Object.values(row))
}

/** Changes an operation's progress and its ids; the operation itself never changes. */
export async function updateOperation(
  tx: Tx,
  id: number,
  {
    last_answer,
    minted,
    ...plain
  }: Partial<Pick<JournalEntry, 'state' | 'attempts' | 'last_answer' | 'minted' | 'effect_seq' | 'sent_at' | 'settled_at'>>,
): Promise<void> {
  const response = last_answer === undefined ? {} : { last_answer: last_answer === null ? null : JSON.stringify(last_answer) }
  const identities = minted === undefined ? {} : { minted: JSON.stringify(minted) }
  const columns = Object.entries<unknown>({ ...plain, ...response, ...identities })
  await tx.write(`UPDATE sync_journal SET ${columns.map(([name]) => `${name} = ?`).join(', ')} WHERE id = ?`, [
    ...columns.map(([, value]) => value),
    id,
  ])
}

/** Moves operations behind all others, keeping their order. */
export async function moveOperations(tx: Tx, numbers: readonly number[]): Promise<void> {
  await tx.write(`UPDATE sync_journal SET id = id + (SELECT max(id) FROM sync_journal) WHERE id IN (SELECT value FROM json_each(?))`, [
    JSON.stringify(numbers),
  ])
}

/** Operations in one state, oldest first. */
export async function listOperations(reader: Reader, state: OperationState, limit = 100_000): Promise<JournalEntry[]> {
  return (await reader.all(listByState, { state, limit })).map(toEntry)
}

/** Shown operations that are not yet confirmed, oldest first. */
export async function listShownOperations(reader: Reader): Promise<JournalEntry[]> {
  return (await reader.all(listShownRows, {})).map(toEntry)
}

/** The next operations that wait for the remote's response, oldest first. */
export async function listWaitingOperations(reader: Reader, page: { after: number; limit: number }): Promise<JournalEntry[]> {
  return (await reader.all(listWaitingRows, page)).map(toEntry)
}

/** Operations that the remote has applied and whose effect has not been pulled yet, oldest first. */
export function listAcknowledged(reader: Reader) {
  return reader.all(listConfirming, {})
}

/** Decisions that are not sent yet, oldest first. */
export async function listUnsentDecisions(reader: Reader): Promise<JournalEntry[]> {
  return (await reader.all(listUnsentRows, {})).map(toEntry)
}

/** The progress of operations. */
export function listProgress(reader: Reader, numbers: readonly number[]) {
  return reader.allOf(listProgressOf, numbers)
}

/** The numbers of shown operations that are not yet confirmed, oldest first. */
export async function listShownNumbers(reader: Reader): Promise<number[]> {
  return (await reader.all(listShownIds, {})).map(({ id }) => id)
}

/** Operations by their numbers, oldest first. */
export async function listByNumber(reader: Reader, numbers: readonly number[]): Promise<JournalEntry[]> {
  return (await reader.allOf(listNumbered, numbers)).map(toEntry).sort((a, b) => a.id - b.id)
}

/** One operation of this replica's journal. */
export async function findJournalled(reader: Reader, op_id: string): Promise<JournalEntry | undefined> {
  const row = await reader.first(findRow, { op_id })
  return row && toEntry(row)
}

/** Operations of this replica's journal by their ids. */
export async function listJournalled(reader: Reader, op_ids: readonly string[]): Promise<JournalEntry[]> {
  return (await reader.allOf(listRows, op_ids)).map(toEntry)
}

/** The number of operations in each state that is not final. */
export function countOperations(reader: Reader) {
  return reader.all(countRows, {})
}

/** Settled operations whose effect a restored remote may have lost. */
export async function listSettledSince(reader: Reader, seq: number): Promise<JournalEntry[]> {
  return (await reader.all(listSettledAfter, { seq })).map(toEntry)
}

/** Deletes operations that ended long ago. */
export async function pruneJournal(tx: Tx, before: string): Promise<void> {
  await tx.run(pruneRows, { before })
}
