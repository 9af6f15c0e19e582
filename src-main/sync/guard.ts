import type { ChangePage } from '#shared/contract/sync'
import { countRows, listLive } from '#main/store/sync/replica-reader'
import { findReplicaValue, writeReplicaValue } from '#main/store/sync/replica-state'
import type { Reader, Tx } from '#main/store/core/store'
import { type Exchange, transact } from './exchange'

/** Deletions of a table up to this number, or this share of it, pass without a person. */
const believed = 20
const believedPart = 0.05
/** The period over which deletions add up: many small deletions count as one large one. */
const windowMs = 24 * 60 * 60 * 1000

/** How many records of a table would be deleted. */
export interface Deletions {
  readonly table: string
  readonly count: number
}

/** Which records of a table would be deleted. */
export interface DeletedRecords extends Deletions {
  readonly ids: readonly number[]
}

/** The local records that a page of changes deletes, without those that were deleted here first. */
export async function listDeletions(reader: Reader, { tables }: Pick<ChangePage, 'tables'>): Promise<DeletedRecords[]> {
  const deletions: DeletedRecords[] = []
  for (const { name, columns, rows } of tables) {
    const [id, deleted] = [columns.indexOf('id'), columns.indexOf('deleted_at')]
    if (deleted < 0 || name === 'comments') continue
    const ids = await listLive(
      reader,
      name,
      rows.filter((row) => row[deleted] !== null).map((row) => Number(row[id])),
    )
    if (ids.length > 0) deletions.push({ table: name, count: ids.length, ids })
  }
  return deletions
}

export interface Excess extends Deletions {
  readonly total: number
}

/** The first table with more deletions within a day than pass without a person (`SPEC.md`, "Guards"). */
export async function exceedsGuard(reader: Reader, deletions: readonly Deletions[], now: Date): Promise<Excess | undefined> {
  if (deletions.length === 0 || (await findReplicaValue(reader, 'allowed'))) return undefined
  const gone = await listRecent(reader, now)
  for (const [table, some] of Map.groupBy(deletions, (one) => one.table)) {
    const before = sumOf(gone.filter((one) => one.table === table))
    const sum = before + sumOf(some)
    if (sum <= believed) continue
    const total = before + (await countRows(reader, table))
    if (sum > Math.max(believed, total * believedPart)) return { table, count: sum, total }
  }
  return undefined
}

const sumOf = (deletions: readonly Deletions[]) => deletions.reduce((sum, { count }) => sum + count, 0)

/** Adds deletions to the guard's count, in their transaction. Deletions that a person allowed do not count later. */
export async function noteDeletions(tx: Tx, deletions: readonly Deletions[]): Promise<void> {
  if (deletions.length === 0) return
  const gone = await listRecent(tx, tx.clock.now())
  const noted = deletions.map(({ table, count }) => ({ table, count, at: tx.now }))
  await writeReplicaValue(tx, 'deletions', (await findReplicaValue(tx, 'allowed')) ? undefined : [...gone, ...noted])
}

/** The counted deletions. This device's clock may be wrong: entries too old or in the future do not count. */
async function listRecent(reader: Reader, now: Date) {
  const gone = (await findReplicaValue(reader, 'deletions')) ?? []
  return gone.filter(({ at }) => Math.abs(now.getTime() - Date.parse(at)) < windowMs)
}

/** Stops without changing anything, until a person has decided. */
export async function stopAtGuard(exchange: Exchange, { table, count, total }: Excess): Promise<'stopped'> {
  const message = `The remote would delete ${count} of ${total} ${table} within a day. Nothing was changed.`
  await transact(exchange, (tx) => writeReplicaValue(tx, 'stop', { kind: 'guard', message, table, count, total }))
  return 'stopped'
}
