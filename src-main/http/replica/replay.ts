import { mintIdentity } from '#main/store/sync/id-leases'
import { isSame } from '#shared/sync/merge'
import { type JournalEntry, updateOperation } from '#main/store/sync/sync-journal'
import type { Identity, MintedTable, Minter, Tx } from '#main/store/core/store'
import type { OperationDeps } from '../endpoint'
import { run } from '../pipeline'
import { type ApiResponse, messageResponse } from '../refusals'
import { placeLocally } from './place-locally'

/** Applies a journalled operation again over the confirmed data, with its original identities. */
export async function replayOperation(deps: OperationDeps, tx: Tx, row: JournalEntry): Promise<ApiResponse> {
  const { method, user_id, op_id, group_id } = row
  const placed = await placeLocally(tx, row)
  const match = placed && deps.api.router.read({ method, ...placed })
  if (match?.kind !== 'found') return messageResponse(404, row.path)
  const identities = sameIdentities(row)
  const sender = {
    caller: { user_id, locale: null, way: 'token', session_hash: null, scopes: null, ends_at: null, token_ends_at: null },
    locale: 'en',
    origin: 'sync',
    request_id: group_id ?? op_id,
    base_url: 'http://localhost',
    source: 'sync',
  } as const
  tx.replica.capture(row.id)
  try {
    const operation = { op_id, minter: identities.minter }
    const response = await run(deps, { ...match.asked, sender, operation }, { within: tx })
    if (response.status < 400 && !isSame(identities.used(), row.minted)) await updateOperation(tx, row.id, { minted: identities.used() })
    return response
  } finally {
    tx.replica.capture(null)
  }
}

/** An operation's original identities. If another record has an id by now, it gets a new one. */
function sameIdentities({ minted }: JournalEntry): { minter: Minter; used: () => JournalEntry['minted'] } {
  const waiting = Map.groupBy(minted, ({ table }) => table)
  const used: JournalEntry['minted'] = []
  const take = async (tx: Tx, table: MintedTable): Promise<Identity> => {
    const known = waiting.get(table)?.shift()
    if (!known) return mintIdentity(tx, table)
    const isTaken = known.id === null || (await tx.writeAll(`SELECT 1 FROM ${table} WHERE id = ?`, [known.id])).length > 0
    return known.id === null || isTaken ? { ...(await mintIdentity(tx, table)), uid: known.uid } : { id: known.id, uid: known.uid }
  }
  const mint = async (tx: Tx, table: MintedTable) => {
    const identity = await take(tx, table)
    if (table !== 'activities') used.push({ table, id: identity.id ?? null, uid: identity.uid })
    return identity
  }
  return { minter: { mint }, used: () => used }
}
