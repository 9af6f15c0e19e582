import { type SharedRecordTable, records } from '#shared/records/index'
import { rowsOfPlaces } from '../../core/queryable'
import type { Identity, Tx } from '../../core/store'
import type { NewActivity } from './activity-details'
import { enqueueDeliveries } from '../../queues/webhook-outbox'

/** The tables that count entries about their records. */
const counted = new Map<string, SharedRecordTable>(
  records.flatMap(({ table, subject, counts }) => (subject && counts?.includes('activities') ? [[subject, table]] : [])),
)

const columns = [
  ...['uid', 'organization_id', 'user_id', 'subject_type', 'subject_id', 'source_type', 'source_id', 'event', 'details'],
  ...['origin', 'request_id', 'occurred_at', 'created_at'],
]

/** Adds to the records' counts of entries. */
function countEntries(tx: Tx, table: SharedRecordTable, ids: readonly number[]): void {
  const entries = new Map([...Map.groupBy(ids, (id) => id)].map(([id, same]) => [id, same.length]))
  for (const [count, alike] of Map.groupBy(entries.keys(), (id) => entries.get(id))) {
    const text = `UPDATE ${table} SET activities_count = activities_count + ? WHERE id IN (${alike.map(() => '?').join(', ')})`
    tx.post(text, [count, ...alike])
  }
}

/** Appends to the audit trail in the transaction of the change, and to the webhooks' outbox. */
export function recordActivity(tx: Tx, activity: NewActivity): Promise<void> {
  return recordActivities(tx, [activity])
}

/** Appends several entries to the audit trail in one statement; see {@link recordActivity}. */
export async function recordActivities(tx: Tx, activities: readonly NewActivity[]): Promise<void> {
  const minted: Array<readonly [Identity, unknown[]]> = []
  for (const activity of activities) {
    const identity = await tx.mint('activities')
    minted.push([identity, toCells(tx, activity, identity)])
  }
  // Either all of them have an id (on a replica) or none.
  const isGiven = minted.every(([{ id }]) => id !== undefined)
  const values = minted.flatMap(([{ id }, cells]) => (isGiven ? [id, ...cells] : cells))
  const named = isGiven ? ['id', ...columns] : columns
  tx.post(`INSERT INTO activities (${named.join(', ')}) VALUES ${rowsOfPlaces(named.length, minted.length)}`, values)
  for (const [type, about] of Map.groupBy(activities, ({ subject }) => subject.type)) {
    const ids = about.map(({ subject }) => subject.id)
    const table = counted.get(type)
    if (table) countEntries(tx, table, ids)
  }
  for (const activity of activities) await enqueueDeliveries(tx, activity)
}

function toCells(tx: Tx, { organization_id, subject, source, event, details = [] }: NewActivity, { uid }: Identity): unknown[] {
  const { user_id, origin, request_id } = tx.actor
  const of = [subject.type, subject.id, source?.type ?? null, source?.id ?? null]
  return [uid, organization_id, user_id, ...of, event, JSON.stringify(details), origin, request_id, tx.now, tx.now]
}
