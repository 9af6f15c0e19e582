import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { type KeyedPage, type Page, type PageWindow, newestKey } from '../../core/list-query'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

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
export const listDeliveryRows = statement<KeyedPage<{ webhook_id: number }>, Row<'webhook_deliveries'>>((db, p) =>
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
