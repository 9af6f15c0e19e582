import { type WebhookEvent, toWebhookEvents } from '#shared/domain/webhook-events'
import type { NewActivity } from '../records/conversations/activity-details'
import { statement } from '../core/statement'
import type { Tx } from '../core/store'

const listRows = statement<{ organization_id: number }, { id: number }>(
  (db, p) => db.selectFrom('webhooks').select('id').where('organization_id', '=', p('organization_id')).where('deleted_at', 'is', null),
  { isKept: true },
)
const insert = `INSERT INTO webhook_deliveries (uid, webhook_id, event, body, state, created_at) VALUES (?, ?, ?, ?, 'waiting', ?)`

/** Queues the deliveries to each webhook of the organization, in the transaction of the change (contract 6). */
export async function enqueueDeliveries(
  tx: Tx,
  { organization_id, subject, source, event: what, details = [] }: NewActivity,
): Promise<void> {
  if (subject.type !== 'Expense' || organization_id === null) return
  const events = toWebhookEvents(
    what,
    details.map(({ attribute }) => attribute),
  )
  if (events.length === 0) return
  // Usually there is no webhook, and an activity costs only this read.
  const webhooks = await tx.all(listRows, { organization_id })
  if (webhooks.length === 0) return
  for (const event of events) {
    const body = JSON.stringify(toBody({ event, created_at: tx.now, expense_id: subject.id, source }))
    for (const { id } of webhooks) tx.post(insert, [tx.clock.uid(), id, event, body, tx.now])
  }
}

interface EventFacts {
  readonly event: WebhookEvent
  readonly created_at: string
  readonly expense_id: number
  readonly source: NewActivity['source']
}

/** The body of a delivery (contract 6.2). */
function toBody({ event, created_at, expense_id, source }: EventFacts) {
  const expense = `/expenses/${expense_id}`
  const folders = { Comment: 'comments', Attachment: 'attachments' }
  return {
    event,
    created_at,
    expense: { id: expense_id, _links: selfOf(expense) },
    event_source: source
      ? { id: source.id, type: source.type, _links: selfOf(`${expense}/${folders[source.type]}/${source.id}`) }
      : { id: expense_id, type: 'Expense', _links: selfOf(expense) },
  }
}

function selfOf(url: string) {
  return [{ rel: 'self', method: 'GET', url }]
}
