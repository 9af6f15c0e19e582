import type { Operation } from '#shared/contract/sync'
import { findByUid, findUid, isGranted } from '#main/store/sync/sync-operations'
import type { Identity, Minter, Tx } from '#main/store/core/store'

/**
 * The identities that a device minted for an operation's records, if they can be kept: an unused id that was leased to its user, and an unused uid.
 * Others get new ones, which the device pulls.
 */
export async function mintedIdentities(tx: Tx, minted: Operation['minted']): Promise<Minter> {
  const waiting = new Map<string, Identity[]>()
  for (const { table, id, uid } of minted) {
    if ((await findByUid(tx, table, uid)) !== undefined) continue
    const isOurs = id !== null && id > 0 && (await isGranted(tx, { table_name: table, id, user_id: tx.actor.user_id }))
    const identity = isOurs && (await findUid(tx, table, id)) === undefined ? { id, uid } : { uid }
    waiting.set(table, [...(waiting.get(table) ?? []), identity])
  }
  return { mint: (inner, table) => Promise.resolve(waiting.get(table)?.shift() ?? { uid: inner.clock.uid() }) }
}
