import { findDevice, insertDevice, moveDevice } from '#main/store/sync-devices'
import type { Tx } from '#main/store/store'

/** A device as it presents itself. */
export interface PresentedDevice {
  readonly uid: string
  readonly name: string
  /** What it was given last; null on its first exchange. */
  readonly turn: string | null
}

/** `cloned`: somebody else has gone on as this device, so this is a copy and must become another. */
export type ExchangeBegun = { readonly kind: 'known'; readonly turn: string } | { readonly kind: 'cloned' }

/**
 * Begins an exchange with a device (`src-main/sync/SPEC.md`, "Devices"). Each exchange gives it a new turn to present next time.
 * The turn before it is good too, since the answer that carried the newest may have been lost; an older one is a copy's.
 */
export async function beginExchange(tx: Tx, { uid, name, turn }: PresentedDevice): Promise<ExchangeBegun> {
  const known = await findDevice(tx, uid)
  const fresh = tx.clock.secret(12)
  if (!known) {
    await insertDevice(tx, { uid, name, turn: turn ?? '', next_turn: fresh })
    return { kind: 'known', turn: fresh }
  }
  if (known.user_id !== tx.actor.user_id) return { kind: 'cloned' }
  if (turn === known.next_turn) {
    await moveDevice(tx, { uid, name, turn, next_turn: fresh })
    return { kind: 'known', turn: fresh }
  }
  // The answer with the newest turn never came: it is given again.
  if ((turn ?? '') === known.turn) return { kind: 'known', turn: known.next_turn }
  return { kind: 'cloned' }
}
