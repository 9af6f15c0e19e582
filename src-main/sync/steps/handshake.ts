import { migrations } from '#db/index'
import { protocol, syncRoutes } from '#shared/contract/sync'
import { dropLeases } from '#main/store/id-leases'
import { findReplicaValue, writeReplicaValue } from '#main/store/replica-state'
import { type Exchange, getRemoteOf, stopFor, transact } from '../exchange'
import type { Event } from '../machine'

/** Who we are, whom we speak to, whether its history is the one we know, and whether our user still sees what we hold. */
export async function handshake(exchange: Exchange): Promise<Event> {
  const { store, remote, clock } = exchange
  const known = await getRemoteOf(exchange)
  const device = (await findReplicaValue(store.reader, 'device')) ?? { uid: clock.uid(), name: 'Outlay', turn: null }
  const pulled = await findReplicaValue(store.reader, 'pulled')
  const answer = await remote.call(syncRoutes.handshake, {
    body: {
      protocol: { min: protocol.min, max: protocol.max },
      schema: Object.keys(migrations).length,
      device,
      cursor: pulled?.cursor ?? null,
    },
  })
  if (answer.kind === 'too_old')
    return stopFor(exchange, { kind: 'too_old', message: `The remote speaks version ${answer.version}; install a newer Outlay.` })
  if (answer.instance_uid !== known.instance_uid || answer.user.uid !== known.user_uid)
    return stopFor(exchange, {
      kind: 'wrong_account',
      message: 'Another instance, or another user, answers at the address of the remote.',
    })
  if (answer.kind === 'cloned') {
    // Somebody else goes on as this device. What was leased to it may be used there: from now on we are another.
    await transact(exchange, async (tx) => {
      await dropLeases(tx)
      await writeReplicaValue(tx, 'device', { ...device, uid: clock.uid(), turn: null })
    })
    return 'more'
  }
  await transact(exchange, async (tx) => {
    await writeReplicaValue(tx, 'device', { ...device, turn: answer.turn })
    // A newer remote, or a newer program: what could not be held before may be held now.
    await writeReplicaValue(tx, 'schema', answer.schema)
  })
  if (answer.history !== 'same') return 'diverged'
  return pulled === undefined || pulled.scopes !== answer.scopes.join(',') ? 'scopes' : 'done'
}
