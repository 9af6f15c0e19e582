import { sql } from 'kysely'
import { statement } from '../core/statement'
import type { Reader } from '../core/store'

/** The size of a queue, and since when its oldest entry waits. */
export interface QueueSize {
  readonly queue: 'webhook_deliveries' | 'emails' | 'pushes' | 'captures'
  readonly count: number
  /** An instant; null if nothing waits. */
  readonly since: string | null
}

type Measured = Omit<QueueSize, 'queue'>

const deliveries = statement<object, Measured>((db) =>
  db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('since')])
    .where('state', '=', sql.lit('waiting')),
)
const notifications = statement<{ channel: 'email' | 'mobile' }, Measured>((db, p) =>
  db
    .selectFrom('notifications')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('since')])
    .where('state', '=', sql.lit('waiting'))
    .where('channel', '=', p('channel')),
)
const captures = statement<object, Measured>((db) =>
  db
    .selectFrom('captures')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('since')])
    .where('state', '=', sql.lit('processing'))
    .where('deleted_at', 'is', null),
)
const none: Measured = { count: 0, since: null }

/** Measures the background queues, by their indexes. */
export async function measureQueues(reader: Reader): Promise<QueueSize[]> {
  return [
    { queue: 'webhook_deliveries', ...((await reader.first(deliveries, {})) ?? none) },
    { queue: 'emails', ...((await reader.first(notifications, { channel: 'email' })) ?? none) },
    { queue: 'pushes', ...((await reader.first(notifications, { channel: 'mobile' })) ?? none) },
    { queue: 'captures', ...((await reader.first(captures, {})) ?? none) },
  ]
}
