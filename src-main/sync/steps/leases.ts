import { syncRoutes } from '#shared/contract/sync'
import { countLeased, keepLease } from '#main/store/sync/id-leases'
import { leasedTables } from '#main/store/sync/shared-records'
import { type Exchange, transact } from '../exchange'
import type { Event } from '../machine'

/** How few leased ids of a table are few. */
const few = 150

/** Tops up the ids that this device may give, so that what it makes offline has its final id at birth. */
export async function topUpLeases(exchange: Exchange): Promise<Event> {
  const short: string[] = []
  for (const table of leasedTables) if ((await countLeased(exchange.store.reader, table)) < few) short.push(table)
  if (short.length === 0) return 'done'
  const { leases } = await exchange.remote.call(syncRoutes.lease, { body: { tables: short } })
  await transact(exchange, async (tx) => {
    for (const lease of leases) await keepLease(tx, lease)
  })
  return 'done'
}
