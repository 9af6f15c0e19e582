import { sql } from 'kysely'
import type { Row } from '#db/schema'
import type { DeliveryError } from '#shared/domain/webhook-events'
import { statement } from '../core/statement'
import type { Reader, Tx } from '../core/store'

/** A webhook's first waiting delivery; its others wait behind it. */
export interface QueueHead {
  readonly webhook_id: number
  readonly delivery_id: number
  readonly attempts: number
  readonly next_attempt_at: string | null
  /** When the webhook or its organization was deleted. */
  readonly gone_at: string | null
}

/** A literal, so that SQLite uses the partial index. */
const waiting = sql.lit<'waiting'>('waiting')

/** Exported so that a test can check its index. */
export const listHeadRows = statement<object, QueueHead>((db) =>
  db
    .selectFrom('webhooks')
    .innerJoin('organizations', 'organizations.id', 'webhooks.organization_id')
    .innerJoin('webhook_deliveries', (join) =>
      join.on((on) =>
        on(
          'webhook_deliveries.id',
          '=',
          on
            .selectFrom('webhook_deliveries as waiting')
            .select(({ fn }) => fn.min('waiting.id').as('id'))
            .whereRef('waiting.webhook_id', '=', 'webhooks.id')
            .where('waiting.state', '=', waiting),
        ),
      ),
    )
    .select(({ fn }) => [
      'webhook_deliveries.webhook_id',
      'webhook_deliveries.id as delivery_id',
      'webhook_deliveries.attempts',
      'webhook_deliveries.next_attempt_at',
      fn.coalesce('webhooks.deleted_at', 'organizations.deleted_at').as('gone_at'),
    ])
    .orderBy('webhook_deliveries.id'),
)
/** Exported so that a test can check its index. */
export const listWaitingRows = statement<{ webhook_id: number; limit: number }, Row<'webhook_deliveries'>>((db, p) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', p('webhook_id'))
    .where('state', '=', waiting)
    .orderBy('id')
    .limit(p('limit')),
)
const listStatesBefore = statement<{ webhook_id: number; id: number }, Pick<Row<'webhook_deliveries'>, 'state'>>((db, p) =>
  db
    .selectFrom('webhook_deliveries')
    .select('state')
    .where('webhook_id', '=', p('webhook_id'))
    .where('id', '<', p('id'))
    .orderBy('id', 'desc')
    .limit(2),
)
const findReceiverRow = statement<{ id: number }, Receiver>((db, p) =>
  db
    .selectFrom('webhooks')
    .innerJoin('organizations', 'organizations.id', 'webhooks.organization_id')
    .select(['webhooks.url', 'webhooks.secret'])
    .where('webhooks.id', '=', p('id'))
    .where('webhooks.deleted_at', 'is', null)
    .where('organizations.deleted_at', 'is', null),
)

/** The address and the signing secret of deliveries. */
export type Receiver = Pick<Row<'webhooks'>, 'url' | 'secret'>

/** The heads of all queues, longest waiting first: one step along an index for each webhook. */
export function listQueueHeads(reader: Reader): Promise<QueueHead[]> {
  return reader.all(listHeadRows, {})
}

/** A webhook's waiting deliveries, in order. */
export function listWaiting(reader: Reader, query: { webhook_id: number; limit: number }): Promise<Row<'webhook_deliveries'>[]> {
  return reader.all(listWaitingRows, query)
}

/** How many deliveries directly before this one were dropped: 0, 1, or 2 for two and more. */
export async function countDroppedBefore(reader: Reader, delivery: { webhook_id: number; id: number }): Promise<number> {
  const before = await reader.all(listStatesBefore, { webhook_id: delivery.webhook_id, id: delivery.id })
  const kept = before.findIndex(({ state }) => state !== 'dropped')
  return kept === -1 ? before.length : kept
}

/** The receiver of a webhook; undefined if it or its organization was deleted. */
export function findReceiver(reader: Reader, webhook_id: number): Promise<Receiver | undefined> {
  return reader.first(findReceiverRow, { id: webhook_id })
}

/** The organizations of some webhooks. */
export async function listWebhookOwners({ db }: Reader, webhook_ids: readonly number[]): Promise<number[]> {
  const rows = await db.selectFrom('webhooks').select('organization_id').distinct().where('id', 'in', webhook_ids).execute()
  return rows.map(({ organization_id }) => organization_id)
}

/** The result of one try at a delivery. */
export interface Tried {
  readonly delivery: Pick<Row<'webhook_deliveries'>, 'id' | 'webhook_id' | 'attempts'>
  readonly status: number | null
  readonly error: DeliveryError | null
  readonly result:
    | { readonly kind: 'delivered' }
    | { readonly kind: 'again'; readonly at: string }
    /** Given up; the webhook's next delivery is not tried before `nextAt`. */
    | { readonly kind: 'dropped'; readonly nextAt: string }
}

const settle = `UPDATE webhook_deliveries SET state = ?, attempts = ?, last_status = ?, last_error = ?, next_attempt_at = ?,
  finished_at = ? WHERE id = ? AND state = 'waiting'`
const postpone = `UPDATE webhook_deliveries SET next_attempt_at = ? WHERE id = (
  SELECT min(id) FROM webhook_deliveries WHERE webhook_id = ? AND state = 'waiting')`

/** Stores the result of a try. A delivery that was dropped meanwhile with its webhook stays dropped. */
export async function settleDelivery(tx: Tx, { delivery, status, error, result }: Tried): Promise<void> {
  const isOver = result.kind !== 'again'
  const state = result.kind === 'again' ? 'waiting' : result.kind
  const at = result.kind === 'again' ? result.at : null
  await tx.write(settle, [state, delivery.attempts + 1, status, error, at, isOver ? tx.now : null, delivery.id])
  if (result.kind === 'dropped') await tx.write(postpone, [result.nextAt, delivery.webhook_id])
}

const dropSome = statement<{ webhook_id: number; limit: number; now: string; error: DeliveryError }, unknown>((db, p) =>
  db
    .updateTable('webhook_deliveries')
    .set({ state: 'dropped', last_error: p('error'), next_attempt_at: null, finished_at: p('now') })
    .where('id', 'in', (on) =>
      on
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('webhook_id', '=', p('webhook_id'))
        .where('state', '=', waiting)
        .orderBy('id')
        .limit(p('limit')),
    ),
)
const pruneSome = statement<{ before: string; limit: number }, unknown>((db, p) =>
  db.deleteFrom('webhook_deliveries').where('id', 'in', (on) =>
    on
      .selectFrom('webhook_deliveries as old')
      .select('old.id')
      .where('old.finished_at', 'is not', null)
      .where('old.finished_at', '<', p('before'))
      .where((of) =>
        of.not(
          of.exists(of.selectFrom('webhook_deliveries as repeat').select('repeat.id').whereRef('repeat.redelivery_of', '=', 'old.id')),
        ),
      )
      .limit(p('limit')),
  ),
)

/** Drops some waiting deliveries of a deleted webhook; returns how many. */
export function dropWaiting(tx: Tx, query: { webhook_id: number; limit: number }): Promise<number> {
  return tx.run(dropSome, { ...query, now: tx.now, error: 'webhook_deleted' })
}

/** Deletes some deliveries that finished before an instant, except those that an existing redelivery repeats. */
export function pruneDeliveries(tx: Tx, query: { before: string; limit: number }): Promise<number> {
  return tx.run(pruneSome, query)
}
