import { mintIdentity } from '#main/store/id-leases'
import type { JournalEntry } from '#main/store/sync-journal'
import type { Identity, Minter, Tx } from '#main/store/store'
import type { ServerDeps } from '../deps'
import { type Call, answerWithin } from '../pipeline'
import { type Answer, messageAnswer } from '../refusals'
import type { Router } from '../router'
import { placeLocally } from './place-locally'

/** Carries out a journalled operation once more over what the remote has confirmed, with the identities it had. */
export async function replayOperation(
  { deps, router }: { deps: ServerDeps; router: Router },
  tx: Tx,
  row: JournalEntry,
): Promise<Answer> {
  const placed = await placeLocally(tx, row)
  const match = placed && router.match(row.method, placed.path)
  if (match?.kind !== 'found') return messageAnswer(404, row.path)
  const call: Call = {
    endpoint: match.endpoint,
    caller: { user_id: row.user_id, locale: null, way: 'token', session_hash: null },
    params: match.params,
    query: {},
    body: placed?.body,
    path: placed?.path ?? row.path,
    base_url: 'http://localhost',
    request_id: row.group_id ?? row.op_id,
    source: 'sync',
    origin: 'sync',
    operation: { op_id: row.op_id, minter: sameIdentities(row) },
    headers: {},
  }
  tx.capture(row.id)
  try {
    return await answerWithin(deps, call, tx)
  } finally {
    tx.capture(null)
  }
}

function sameIdentities({ minted }: JournalEntry): Minter {
  const waiting = new Map<string, Identity[]>()
  for (const { table, id, uid } of minted)
    waiting.set(table, [...(waiting.get(table) ?? []), id === null ? { uid } : { id, uid }])
  return { mint: (tx, table) => waiting.get(table)?.shift() ?? mintIdentity(tx, table) }
}
