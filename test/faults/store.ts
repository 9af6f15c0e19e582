import type { Fault } from '#test/faults/fault'

/** Faults in what keeps records: their store, log, search and lists. */
export const store: readonly Fault[] = []
