import { syncRoutes } from '#shared/contract/sync'
import { sumRecords } from '#main/store/sync/feed-reader'
import { findReplicaValue, writeReplicaValue } from '#main/store/sync/replica-state'
import { getAudience } from '#main/store/sync/audience'
import { listShownNumbers } from '#main/store/sync/sync-journal'
import { type Exchange, getRemoteOf, transact } from '../exchange'
import type { Event } from '../machine'

/** Compares local counts and checksums with the remote's at the same position; if they differ, requests everything again. */
export async function verify(exchange: Exchange): Promise<Event> {
  const { store, remote, tally, log } = exchange
  if (tally.pulled === 0 || (await listShownNumbers(store.reader)).length > 0) return 'done'
  const [theirs, ours] = await Promise.all([remote.call(syncRoutes.checksums), sumHere(exchange)])
  const pulled = await findReplicaValue(store.reader, 'pulled')
  // Someone has written there since: the next exchange compares.
  if (pulled?.cursor !== theirs.cursor) return 'done'
  // Someone has written here meanwhile, and the remote does not know it.
  if ((await listShownNumbers(store.reader)).length > 0) return 'done'
  const differing = theirs.tables.filter(({ name, count, sum }) => {
    const own = ours.find((one) => one.name === name)
    return own !== undefined && (own.count !== count || own.sum !== sum)
  })
  if (differing.length === 0) return 'done'
  log.error({ tables: differing.map(({ name }) => name) }, 'what is here differs from the remote and is fetched again')
  await transact(exchange, (tx) => writeReplicaValue(tx, 'pulled', undefined))
  return 'scopes'
}

async function sumHere(exchange: Exchange) {
  const { reader } = exchange.store
  const { user_id } = await getRemoteOf(exchange)
  return (await sumRecords(reader, await getAudience(reader, user_id))).tables
}
