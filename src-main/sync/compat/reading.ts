import { mintIdentity } from '#main/store/sync/id-leases'
import type { Reader, Tx } from '#main/store/core/store'
import { type Exchange, getRemoteOf } from '../exchange'
import { PlainApi } from './plain-api'
import { type Reading, RowSet } from './rows'

/** A contract-only remote, as the steps of an exchange use it. */
export interface PlainExchange extends Exchange {
  readonly api: PlainApi
  readonly url: string
  readonly user_id: number
}

/** Adds the client for a contract-only remote to an exchange. */
export async function plainly(exchange: Exchange): Promise<PlainExchange> {
  const { url, user_id } = await getRemoteOf(exchange)
  return { ...exchange, api: new PlainApi(exchange.remote.transport), url, user_id }
}

/** Converts representations into rows without writing them. */
export function lookingAt(exchange: PlainExchange, reader: Reader): Reading {
  return { ...begun(exchange), reader, mintId: () => Promise.resolve(0) }
}

/** Converts representations into rows that this transaction writes. */
export function writingIn(exchange: PlainExchange, tx: Tx): Reading {
  // An id from a counter that no table's rows share.
  return { ...begun(exchange), reader: tx, mintId: async () => (await mintIdentity(tx, 'activities')).id ?? 0 }
}

function begun({ url, user_id }: PlainExchange): Omit<Reading, 'reader' | 'mintId'> {
  return { url, user_id, rows: new RowSet(), adopted: new Map(), knownTags: new Map(), unknownTags: new Set() }
}
