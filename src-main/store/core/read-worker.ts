import { setPriority } from 'node:os'
import Database from 'better-sqlite3'
import { serveTasks } from '#main/processes/serve-tasks'

// The program of the reading processes. In tests Node runs it from source, where only exact aliases and packages resolve.

/** Queries and their database, which stays the same until it is closed. */
export interface ReadTask {
  readonly path: string
  readonly queries: ReadonlyArray<{ readonly sql: string; readonly parameters: readonly unknown[] }>
}

let opened: Database.Database | undefined

function open(path: string): Database.Database {
  const connection = new Database(path, { readonly: true, fileMustExist: true })
  connection.pragma('trusted_schema = OFF')
  connection.pragma('mmap_size = 268435456')
  connection.pragma('temp_store = MEMORY')
  return connection
}

/** Reads the committed rows of each query. */
function read({ path, queries }: ReadTask): unknown[][] {
  const database = (opened ??= open(path))
  const readAll = () => queries.map(({ sql, parameters }) => database.prepare<unknown[]>(sql).all(...parameters))
  return database.transaction(readAll)()
}

/** Closes the database; the next task may name another one. */
function close(): boolean {
  opened?.close()
  opened = undefined
  return true
}

/** Below the thread that responds to users; 19 is the lowest priority of a process, 0 the usual. */
const lowPriority = 5

serveTasks({ read, close })
// After the thread that watches memory has started: that thread keeps its priority.
setPriority(0, lowPriority)
