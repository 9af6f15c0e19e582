import Database from 'better-sqlite3'

// The entry of the worker thread. Node runs it from its source in tests, where only whole aliases and packages resolve.

/** A query, and the database that it is of: the same one for as long as the thread lives. */
export interface ReadTask {
  readonly path: string
  readonly sql: string
  readonly parameters: readonly unknown[]
}

let opened: Database.Database | undefined

function open(path: string): Database.Database {
  const connection = new Database(path, { readonly: true, fileMustExist: true })
  connection.pragma('trusted_schema = OFF')
  connection.pragma('mmap_size = 268435456')
  connection.pragma('temp_store = MEMORY')
  return connection
}

/** The rows of a query, of what has been committed by now. */
export function read({ path, sql, parameters }: ReadTask): unknown[] {
  opened ??= open(path)
  return opened.prepare<unknown[]>(sql).all(...parameters)
}
