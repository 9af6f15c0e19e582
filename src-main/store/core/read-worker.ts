import { setPriority } from 'node:os'
import Database from 'better-sqlite3'
import { serveTasks } from '#main/processes/serve-tasks'

// The program of the processes that read. Node runs it from its source in tests, where only whole aliases and packages resolve.

/** Queries, and the database that they are of: the same one until it is closed. */
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

/** The rows of each query, of what has been committed by now. */
function read({ path, queries }: ReadTask): unknown[][] {
  const database = (opened ??= open(path))
  const readAll = () => queries.map(({ sql, parameters }) => database.prepare<unknown[]>(sql).all(...parameters))
  return database.transaction(readAll)()
}

/** Lets go of the database: the next one that is read may be another. */
function close(): boolean {
  opened?.close()
  opened = undefined
  return true
}

/** Behind the responding thread, for which everyone waits; of processes the lowest is 19, the usual one 0. */
const lowPriority = 5

serveTasks({ read, close })
// After the thread that watches over memory has started, which must not give way.
setPriority(0, lowPriority)
