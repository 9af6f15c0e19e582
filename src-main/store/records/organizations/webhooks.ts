import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { type KeyedPage, type Page, type PageWindow, newestKey } from '../../core/list-query'
import { type NewRecord, deleteRecord, insertRecord, updateRecord } from '../../core/record-writer'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { toActivityDetails } from '../conversations/activity-details'
import { recordActivity } from '../conversations/activity-writer'

const listRows = statement<{ organization_id: number }, Row<'webhooks'>>((db, p) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc'),
)
const findRow = statement<{ id: number; organization_id: number }, Row<'webhooks'>>((db, p) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', p('id'))
    .where('organization_id', '=', p('organization_id'))
    .where('deleted_at', 'is', null),
)
/** Exported so that a test can check its index. */
const listDeliveryRows = statement<KeyedPage<{ webhook_id: number }>, Row<'webhook_deliveries'>>((db, p) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', p('webhook_id'))
    .where('id', '<', p('after_id'))
    .orderBy('id', 'desc')
    .limit(p('limit'))
    .offset(p('offset')),
)
const countDeliveries = statement<{ webhook_id: number }, { count: number }>((db, p) =>
  db
    .selectFrom('webhook_deliveries')
    .select(sql<number>`count(*)`.as('count'))
    .where('webhook_id', '=', p('webhook_id')),
)
const findDeliveryRow = statement<{ id: number; webhook_id: number }, Row<'webhook_deliveries'>>((db, p) =>
  db.selectFrom('webhook_deliveries').selectAll().where('id', '=', p('id')).where('webhook_id', '=', p('webhook_id')),
)

/** The webhooks of an organization, newest first. */
export function listWebhooks(reader: Reader, organization_id: number): Promise<Row<'webhooks'>[]> {
  return reader.all(listRows, { organization_id })
}

/** A webhook of an organization. */
export function findWebhook(reader: Reader, key: { id: number; organization_id: number }) {
  return reader.first(findRow, key)
}

/** A page of a webhook's deliveries, newest first. */
export async function listDeliveries(reader: Reader, webhook_id: number, window: PageWindow): Promise<Page<Row<'webhook_deliveries'>>> {
  const rows = await reader.all(listDeliveryRows, { webhook_id, ...window, ...newestKey(window) })
  return { rows, count: (await reader.first(countDeliveries, { webhook_id }))?.count ?? 0 }
}

/** A delivery to a webhook. */
export function findDelivery(reader: Reader, key: { id: number; webhook_id: number }) {
  return reader.first(findDeliveryRow, key)
}

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
