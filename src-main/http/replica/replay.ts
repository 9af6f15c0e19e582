import { isSame } from '#shared/sync/merge'
import { replaceAt } from '#shared/sync/references'
import type { Identity, MintedTable, Minter, Tx } from '#main/store/core/store'
import { findBlob } from '#main/store/records/files/blob-reader'
import { mintIdentity } from '#main/store/sync/id-leases'
import { type JournalEntry, updateOperation } from '#main/store/sync/sync-journal'
import { findByUid } from '#main/store/sync/sync-operations'
import { offerStoredFile } from '#main/use-cases/sync/record-sync-upload'
import type { OperationDeps } from '../endpoint'
import { run } from '../pipeline'
import { type ApiResponse, messageResponse } from '../refusals'

/** A journalled write with current local ids and claimable uploads, even for old files; undefined if one of them is not here. */
export async function placeLocally(
  tx: Tx,
  { path, body, refs, blobs, user_id }: JournalEntry,
): Promise<{ path: string; body: unknown } | undefined> {
  const values: Array<{ at: string; value: number | string }> = []
  for (const { at, table, uid } of refs) {
    const record = await findByUid(tx, table, uid)
    if (!record) return undefined
    values.push({ at, value: record.id })
  }
  const own = tx.as({ ...tx.actor, user_id })
  for (const { at, sha256, file_name } of blobs) {
    const blob = await findBlob(tx, sha256)
    if (!blob) return undefined
    values.push({ at, value: await offerStoredFile(own, blob, { file_name, base_url: 'http://localhost' }) })
  }
  return replaceAt({ path, body }, values)
}

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
