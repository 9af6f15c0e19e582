import { toInstant } from '#shared/domain/dates'
import { findDevice, insertDevice, moveDevice } from '#main/store/sync/sync-devices'
import { pruneOperations } from '#main/store/sync/sync-operations'
import type { Tx } from '#main/store/core/store'

/** How long what became of an operation is kept: no replica sends one again that it made longer ago. */
const keptMs = 200 * 24 * 60 * 60 * 1000

/** A device as it presents itself. */
export interface PresentedDevice {
  readonly uid: string
  readonly name: string
  /** What it presented last as its next; null on its first exchange. */
  readonly turn: string | null
  /** What it will present as its turn from now on: its own, kept before it was sent, so that a repeat is known as one. */
  readonly next_turn?: string
}

/** `cloned`: someone else has continued as this device, so this is a copy and must become another. */
export type ExchangeBegun = { readonly kind: 'known'; readonly turn: string } | { readonly kind: 'cloned' }

/**
 * Begins an exchange with a device (`src-main/sync/SPEC.md`, "Devices"). Each exchange moves it on to a turn that it created itself:
 * two that were one agree on the turn they had, and never on the next, so the second of them is noticed at once.
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
  // The answer to this very request never came: it is asked again.
  if (next_turn !== undefined && next_turn === known.next_turn) return { kind: 'known', turn: next_turn }
  return { kind: 'cloned' }
}
