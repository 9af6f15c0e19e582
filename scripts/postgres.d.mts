/** A PostgreSQL that tests have started. */
export interface Cluster {
  readonly url: string
  /** Its first process, whose children the others are. */
  pid(): number
  /** Ends it as a crash does. */
  crash(): Promise<void>
  /** Ends it as a crash does, and starts it again. */
  restart(options?: { readonly downMs?: number }): Promise<void>
  close(): Promise<void>
}
/** The folder of PostgreSQL's programs. */
export function findPrograms(): string
export function startPostgres(options?: {
  readonly isDurable?: boolean
  readonly home?: string
  readonly init?: readonly string[]
  readonly settings?: readonly string[]
}): Promise<Cluster>
/** A standby that follows a cluster; `SELECT pg_promote()` has it take over. */
export function startStandby(primary: Cluster): Promise<Cluster>
