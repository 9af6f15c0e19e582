import type { Patch } from '#test/simulation/mutants'

/** What a careless change could do to the sources, and the test that is near it. */
export interface Fault extends Patch {
  readonly name: string
  /** What goes wrong, for whom. */
  readonly effect: string
  readonly test: string
  /** A part of the names of the tests that find it, where the whole file would take long. */
  readonly only?: string
}
