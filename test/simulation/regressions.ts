import type { History } from './history'

/** A history that once failed, as few steps of it as it needed, and what was wrong. */
export interface Regression {
  readonly was: string
  readonly history: History
}

/** Histories that once failed; they are lived through again in every run. `npm run simulate` prints the next ones behind "=". */
export const regressions: readonly Regression[] = []
