import { type SharedRecordTable, records } from '#shared/records/index'
import type { Tx } from '../../core/store'
import type { NewActivity } from './new-activity'
import { enqueueDeliveries } from '../../queues/webhook-outbox'

/** The tables that count the entries about their records. */
const counted = new Map<string, SharedRecordTable>(
  records.flatMap(({ table, subject, counts }) => (subject && counts?.includes('activities') ? [[subject, table]] : [])),
)

const text = `INSERT INTO activities (id, uid, organization_id, user_id, subject_type, subject_id, source_type, source_id, event,
  details, origin, request_id, occurred_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Appends to the audit trail, in the transaction of the change, and to the outbox of the webhooks for the event. */
export async function recordActivity(tx: Tx, activity: NewActivity): Promise<void> {
  const { organization_id, subject, source, event, details = [] } = activity
  const { user_id, origin, request_id } = tx.actor
  const { id = null, uid } = await tx.mint('activities')
  await tx.write(text, [
    id,
    uid,
    organization_id,
    user_id,
    subject.type,
    subject.id,
    source?.type ?? null,
    source?.id ?? null,
    event,
    JSON.stringify(details),
    origin,
    request_id,
    tx.now,
    tx.now,
  ])
  const table = counted.get(subject.type)
  if (table) await tx.write(`UPDATE ${table} SET activities_count = activities_count + 1 WHERE id = ?`, [subject.id])
  await enqueueDeliveries(tx, activity)
}
