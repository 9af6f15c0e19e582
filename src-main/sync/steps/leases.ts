import { syncRoutes } from '#shared/contract/sync'
import { countLeased, keepLease } from '#main/store/sync/id-leases'
import { leasedTables } from '#main/store/sync/shared-records'
import { type Exchange, transact } from '../exchange'
import type { Event } from '../machine'

/** Below this many leased ids of a table, more are requested. */
const few = 150

/** Requests more leased ids for this device, so that offline records get final ids. */
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
