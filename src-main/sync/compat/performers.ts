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

/** Whether the token still speaks for the same user. */
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
 * In the place of leases, which such a remote does not give: ends what was begun, and looks what has changed before anything is
 * sent, since the remote itself does not compare what a decision was made by.
 */
async function prepare(exchange: Exchange): Promise<Event> {
  const { reader } = exchange.store
  await finishSent(await plainly(exchange))
  const waiting = [...(await listOperations(reader, 'pending', 1)), ...(await listOperations(reader, 'sent', 1))]
  return waiting.length === 0 ? 'done' : pull(exchange)
}

/** There are no snapshots: lists are brought from the beginning where nothing is known of them. */
const nothing = async (): Promise<Event> => 'done'

/** The steps of an exchange with a remote that speaks the published contract only. */
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
