/** A PostgreSQL that tests have started. */
export interface Cluster {
  readonly url: string
  /** Ends it as a crash does, and starts it again. */
  restart(options?: { readonly downMs?: number }): Promise<void>
  close(): Promise<void>
}
export function startPostgres(options?: { readonly isDurable?: boolean }): Promise<Cluster>
