import type { ActivityEvent } from '#shared/domain/activity-events'
import type { ActivityAttribute } from '#shared/records/audited'
import { type SharedRecordTable, type SharedSubject, records } from '#shared/records/index'
import type { Tx } from '../../core/store'
import { enqueueDeliveries } from '../../queues/webhook-outbox'

/** One attribute's old and new value, as they stand in the audit trail. Amounts are JSON numbers in major units. */
export interface ActivityDetail {
  readonly attribute: ActivityAttribute
  readonly from: string | number | boolean | null
  readonly to: string | number | boolean | null
  /** The currency of an amount, if it has no separate detail because it did not change. */
  readonly currency?: string
}

/** What an activity is about. */
export type SubjectType = SharedSubject | 'Webhook'

/** A change as the audit trail keeps it (supplement, "Activities"). */
export interface NewActivity {
  readonly organization_id: number | null
  readonly subject: { readonly type: SubjectType; readonly id: number }
  /** The comment or attachment that the activity came from; none for a change of the subject itself. */
  readonly source?: { readonly type: 'Comment' | 'Attachment'; readonly id: number }
  /** What happened: `expense_created`, `comment_created`, …; the sentence is made from it when it is read. */
  readonly event: ActivityEvent
  readonly details?: readonly ActivityDetail[]
}

/** The tables that count the entries about their records. */
const counted = new Map<string, SharedRecordTable>(
  records.flatMap(({ table, subject, counts }) => (subject && counts?.includes('activities') ? [[subject, table]] : [])),
)

const text = `INSERT INTO activities (id, uid, organization_id, user_id, subject_type, subject_id, source_type, source_id, event,
  details, origin, request_id, occurred_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Appends to the audit trail, in the transaction of the change, and to the outbox of the webhooks for the event. */
export function recordActivity(tx: Tx, activity: NewActivity): void {
  const { organization_id, subject, source, event, details = [] } = activity
  const { user_id, origin, request_id } = tx.actor
  const { id = null, uid } = tx.mint('activities')
  tx.write(text, [
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
  if (table) tx.write(`UPDATE ${table} SET activities_count = activities_count + 1 WHERE id = ?`, [subject.id])
  enqueueDeliveries(tx, activity)
}
