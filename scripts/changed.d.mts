/** What to run after a change. */
export interface Checks {
  readonly lint: readonly string[]
  readonly tests: readonly string[]
  readonly specs: readonly string[]
  readonly farther: number
}

export function listChanged(ref?: string): string[]
export function listPaths(): string[]
export function readImporters(paths: readonly string[]): Map<string, string[]>
export function selectChecks(changed: readonly string[], paths: readonly string[], importers: ReadonlyMap<string, readonly string[]>): Checks
