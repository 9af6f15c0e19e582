import { toInstant } from '#shared/domain/dates'
import { findDevice, insertDevice, moveDevice } from '#main/store/sync/sync-devices'
import { pruneOperations } from '#main/store/sync/sync-operations'
import type { Tx } from '#main/store/core/store'

/** How long results of operations are kept: no replica sends an older operation again. */
const keptMs = 200 * 24 * 60 * 60 * 1000

/** A device as it identifies itself. */
export interface PresentedDevice {
  readonly uid: string
  readonly name: string
  /** The turn that it announced last; null in its first exchange. */
  readonly turn: string | null
  /** The turn that it will have next. The device creates and stores it before sending, so that a repeat is recognized. */
  readonly next_turn?: string
}

/** `cloned`: another device has continued as this one, so this is a copy and must become another device. */
export type ExchangeBegun = { readonly kind: 'known'; readonly turn: string } | { readonly kind: 'cloned' }

/**
 * Begins an exchange with a device (`src-main/sync/SPEC.md`, "Devices"). Each exchange moves the device to a turn that it created: two copies of a
 * device share their last turn, but never the next, so the second copy is noticed at once.
 */
export async function beginExchange(tx: Tx, { uid, name, turn, next_turn }: PresentedDevice): Promise<ExchangeBegun> {
  await pruneOperations(tx, toInstant(new Date(Date.parse(tx.now) - keptMs)))
  const known = await findDevice(tx, uid)
  const next = next_turn ?? tx.clock.secret(12)
  if (!known) {
    await insertDevice(tx, { uid, name, turn: turn ?? '', next_turn: next })
    return { kind: 'known', turn: next }
  }
  if (known.user_id !== tx.actor.user_id) return { kind: 'cloned' }
  if (turn === known.next_turn) {
    await moveDevice(tx, { uid, name, turn, next_turn: next })
    return { kind: 'known', turn: next }
  }
  // The response to this very request was lost: it is repeated.
  if (next_turn !== undefined && next_turn === known.next_turn) return { kind: 'known', turn: next_turn }
  return { kind: 'cloned' }
}
