import { type SharedRecordTable, records } from '#shared/records/index'
import { rowsOfPlaces } from '../../core/record-writer'
import type { Identity, Tx } from '../../core/store'
import type { NewActivity } from './new-activity'
import { enqueueDeliveries } from '../../queues/webhook-outbox'

/** The tables that count the entries about their records. */
const counted = new Map<string, SharedRecordTable>(
  records.flatMap(({ table, subject, counts }) => (subject && counts?.includes('activities') ? [[subject, table]] : [])),
)

const text = `INSERT INTO activities (id, uid, organization_id, user_id, subject_type, subject_id, source_type, source_id, event,
  details, origin, request_id, occurred_at, created_at) VALUES `
const columns = 14

/** Counts an entry for each time that a record is among the ids. */
function countText(table: SharedRecordTable): string {
  return `UPDATE ${table} SET activities_count = activities_count + entries
    FROM (SELECT value AS record_id, count(*) AS entries FROM json_each(?) GROUP BY value) WHERE id = record_id`
}

/** Appends to the audit trail, in the transaction of the change, and to the outbox of the webhooks for the event. */
export function recordActivity(tx: Tx, activity: NewActivity): Promise<void> {
  return recordActivities(tx, [activity])
}

/** Appends several entries to the audit trail, as {@link recordActivity}, in one statement. */
export async function recordActivities(tx: Tx, activities: readonly NewActivity[]): Promise<void> {
  const values: unknown[] = []
  for (const activity of activities) values.push(...toCells(tx, activity, await tx.mint('activities')))
  await tx.write(text + rowsOfPlaces(columns, activities.length), values)
  for (const [type, about] of Map.groupBy(activities, ({ subject }) => subject.type)) {
    const ids = about.map(({ subject }) => subject.id)
    const table = counted.get(type)
    if (table) await tx.write(countText(table), [JSON.stringify(ids)])
  }
  for (const activity of activities) await enqueueDeliveries(tx, activity)
}

function toCells(tx: Tx, { organization_id, subject, source, event, details = [] }: NewActivity, { id, uid }: Identity): unknown[] {
  const { user_id, origin, request_id } = tx.actor
  const of = [subject.type, subject.id, source?.type ?? null, source?.id ?? null]
  return [id ?? null, uid, organization_id, user_id, ...of, event, JSON.stringify(details), origin, request_id, tx.now, tx.now]
}
