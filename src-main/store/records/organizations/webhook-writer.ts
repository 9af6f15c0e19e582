import type { Row } from '#db/schema'
import { recordActivity } from '../conversations/activity-writer'
import { toActivityDetails } from '../conversations/activity-details'
import { type NewRecord, deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

type Webhook = Row<'webhooks'>
type Delivery = Row<'webhook_deliveries'>

const insertRow = statement<Pick<Delivery, 'uid' | 'webhook_id' | 'event' | 'body' | 'redelivery_of' | 'created_at'>, Delivery>((db, p) =>
  db
    .insertInto('webhook_deliveries')
    .values({
      uid: p('uid'),
      webhook_id: p('webhook_id'),
      event: p('event'),
      body: p('body'),
      redelivery_of: p('redelivery_of'),
      created_at: p('created_at'),
      state: 'waiting',
      next_attempt_at: null,
      last_status: null,
      last_error: null,
      finished_at: null,
    })
    .returningAll(),
)
const scopeOf = ({ organization_id }: Pick<Webhook, 'organization_id'>) => ({ organization_id })

/** The trail's details of a webhook before it existed. */
const unmade: { url: string | null; description: string | null } = { url: null, description: null }

/** Stores a webhook. Its secret is not in the trail. */
export async function insertWebhook(tx: Tx, values: NewRecord<'webhooks'>): Promise<Webhook> {
  const row = await insertRecord(tx, 'webhooks', { values, scope: scopeOf(values) })
  await tell(tx, row, { event: 'webhook_created', details: toActivityDetails(unmade, row, ['url', 'description']) })
  return row
}

/** Changes a webhook. */
export async function updateWebhook(tx: Tx, row: Webhook, changes: Partial<Pick<Webhook, 'description' | 'secret'>>): Promise<Webhook> {
  const stored = await updateRecord(tx, 'webhooks', { row, changes, scope: scopeOf(row) })
  if (stored.version !== row.version)
    await tell(tx, row, { event: 'webhook_updated', details: toActivityDetails(row, stored, ['description']) })
  return stored
}

/** Deletes a webhook; the sender drops its waiting deliveries. */
export async function deleteWebhook(tx: Tx, row: Webhook): Promise<void> {
  await deleteRecord(tx, 'webhooks', { row, scope: scopeOf(row) })
  await tell(tx, row, { event: 'webhook_destroyed', details: toActivityDetails(row, { ...row, ...unmade }, ['url', 'description']) })
}

/** Queues a delivery again, as a new one. */
export async function insertRedelivery(tx: Tx, { id, webhook_id, event, body }: Delivery): Promise<Delivery> {
  const values = { uid: tx.clock.uid(), webhook_id, event, body, redelivery_of: id, created_at: tx.now }
  const row = await tx.first(insertRow, values)
  if (!row) throw new Error('The delivery was not stored.')
  return row
}

interface Told {
  readonly event: 'webhook_created' | 'webhook_updated' | 'webhook_destroyed'
  readonly details?: ReturnType<typeof toActivityDetails>
}

async function tell(tx: Tx, { id, organization_id }: Webhook, { event, details }: Told): Promise<void> {
  await recordActivity(tx, { organization_id, subject: { type: 'Webhook', id }, event, details })
}
