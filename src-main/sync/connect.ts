import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import type { z } from 'zod'
import { migrations } from '#db/index'
import { protocol, syncRoutes } from '#shared/contract/sync'
import { handOverCaptures } from '#main/store/records/files/captures'
import { hasAnything } from '#main/store/sync/local-data'
import { findReplicaValue, writeReplicaValue } from '#main/store/sync/replica-state'
import { clearInstance, insertReplicaUser, keepRemoteToken } from '#main/store/sync/replica-writer'
import type { Clock } from '#main/clock'
import type { Store, Tx } from '#main/store/core/store'
import { offerLocalData } from '#main/use-cases/sync/offer-local-data'
import { identify } from './compat/identify'
import { syncActor } from './exchange'
import { Remote, type Transport } from './remote'
import { RemoteError } from './remote-error'

/** The folder already has another remote. */
export class OtherRemote extends Error {}

export interface Connecting {
  readonly store: Store
  readonly clock: Clock
  readonly url: string
  readonly token: string
  readonly user_id?: number
  readonly transport: Transport
  /** Copies the database before anything is cleared. */
  readonly keepCopy: () => Promise<void>
}

/**
 * Makes an instance a replica of a remote. Its data are copied and offered for upload; nothing is lost. Throws {@link OtherRemote}, and {@link
 * RemoteError} if the remote cannot be reached.
 */
export async function connect({ store, clock, url, token, user_id, transport, keepCopy }: Connecting): Promise<void> {
  const known = await findReplicaValue(store.reader, 'remote')
  const device = (await findReplicaValue(store.reader, 'device')) ?? { uid: clock.uid(), name: hostname().slice(0, 200), turn: null }
  const offer = { protocol: { min: protocol.min, max: protocol.max }, schema: Object.keys(migrations).length, device, cursor: null }
  const full = await greet(transport, offer)
  // A contract-only remote identifies its user without a handshake.
  const response = full ?? (await identify(transport, url))
  const { user, instance_uid, turn } = response
  if (known && (known.instance_uid !== instance_uid || known.user_uid !== user.uid))
    throw new OtherRemote(`This folder is a replica of ${known.url} for another user or instance. Clear that remote first.`)
  if (!known && (await hasAnything(store.reader))) await keepCopy()
  const token_hash = createHash('sha256').update(token).digest('hex')
  await store.transact(syncActor(user.id), async (tx: Tx) => {
    await writeReplicaValue(tx, 'remote', { url, user_id: user.id, user_uid: user.uid, instance_uid, is_compatible_only: !full })
    if (!known) {
      await offerLocalData(tx, { user_id })
      await clearInstance(tx)
      await insertReplicaUser(tx, user)
      await handOverCaptures(tx, user.id)
    }
    await keepRemoteToken(tx, { user_id: user.id, token_hash })
    await writeReplicaValue(
      tx,
      'device',
      response.kind === 'known' ? { uid: device.uid, name: device.name, turn } : { uid: clock.uid(), name: device.name, turn: null },
    )
    await writeReplicaValue(tx, 'stop', undefined)
  })
}

/** The remote's handshake response; undefined if it has no handshake. */
async function greet(transport: Transport, body: z.input<typeof syncRoutes.handshake.body>) {
  try {
    return await new Remote(transport).call(syncRoutes.handshake, { body })
  } catch (error) {
    if (error instanceof RemoteError && error.failure === 'no_sync') return undefined
    throw error
  }
}
