import { listOperations } from '#main/store/sync/sync-journal'
import { type Exchange, getRemoteOf, stopFor } from '../exchange'
import type { Event, Step } from '../machine'
import { RemoteError } from '../remote-error'
import { downloads, uploads } from './files'
import { readAs } from './plain-api'
import { pull, verify } from './pull'
import { finishSent, push } from './push'
import { plainly } from './reading'
import * as shapes from './shapes'

/** Whether the token still belongs to the same user. */
async function handshake(exchange: Exchange): Promise<Event> {
  const { api } = await plainly(exchange)
  const { user_id, user_uid } = await getRemoteOf(exchange)
  const found = await api.find('/preferences')
  if (!found) throw new RemoteError('no_sync', 'No service of this kind answers at the address.', 404)
  const { id, uid } = readAs(shapes.preferences, found.value, 'preferences')
  if (id === user_id && (uid ?? user_uid) === user_uid) return 'done'
  const message = 'Another instance, or another user, answers at the address of the remote.'
  return stopFor(exchange, { kind: 'wrong_account', message })
}

/**
 * Used instead of leases, which such a remote does not give: finishes interrupted calls and pulls changes before anything is sent, as the remote does
 * not check what a decision was based on.
 */
async function prepare(exchange: Exchange): Promise<Event> {
  const { reader } = exchange.store
  await finishSent(await plainly(exchange))
  const waiting = [...(await listOperations(reader, 'pending', 1)), ...(await listOperations(reader, 'sent', 1))]
  return waiting.length === 0 ? 'done' : pull(exchange)
}

/** There are no snapshots: unknown lists are read from the beginning. */
const nothing = async (): Promise<Event> => 'done'

/** The steps of an exchange with a contract-only remote. */
export const compatiblePerformers: Readonly<Record<Step, (exchange: Exchange) => Promise<Event>>> = {
  handshake,
  rewind: nothing,
  snapshot: nothing,
  settle: nothing,
  leases: prepare,
  uploads,
  push,
  pull,
  verify,
  downloads,
}
