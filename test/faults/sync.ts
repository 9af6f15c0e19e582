import type { Fault } from '#test/faults/fault'

/** Faults in sync, in other places than those of the simulation. */
export const sync: readonly Fault[] = []
