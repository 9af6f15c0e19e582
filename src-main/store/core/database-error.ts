import Database from 'better-sqlite3'

/**
 * Why a database cannot be used. `missing`: the folder holds files but no database. `not_upgraded`: a migration failed. `unreachable`: the database
 * server cannot be used. `served`: another Outlay serves it and does not share its files. `left_behind`: it is empty, but the folder has data.
 */
export type RefusalKind = 'newer' | 'damaged' | 'in_use' | 'missing' | 'not_upgraded' | 'unreachable' | 'served' | 'left_behind'

/** The database of a data folder cannot be used. `message` says what to do. Nothing was changed. */
export class DatabaseError extends Error {
  constructor(
    readonly kind: RefusalKind,
    message: string,
    /** What was found: SQLite's message, or the version of the program that wrote the database. */
    readonly found = message,
  ) {
    super(message)
  }
}

/** What happened to a request when the database could not be reached. `taken`: another program uses it now, and nothing was changed. */
export type AwayOutcome = 'unchanged' | 'unknown' | 'taken'

/** A database on a server cannot be used at the moment. */
export class DatabaseAway extends Error {
  constructor(
    readonly outcome: AwayOutcome,
    options?: ErrorOptions,
  ) {
    super('The database cannot be used just now.', options)
  }
}

/** SQLite's codes for faults of the machine. Any other error while a database is opened is damage. */
const faultsOfTheMachine = /^SQLITE_(FULL|READONLY|CANTOPEN|PERM|AUTH|BUSY|LOCKED|NOMEM|IOERR(?!_SHORT_READ|_CORRUPTFS))/

/** Whether the machine is at fault, not the database. */
export function isFaultOfMachine(error: unknown): boolean {
  return error instanceof Database.SqliteError && faultsOfTheMachine.test(error.code)
}

/** Turns an error of opening into damage, unless the machine is at fault. */
export function asDamage(error: unknown): unknown {
  return error instanceof Database.SqliteError && !isFaultOfMachine(error) ? damaged(error.message) : error
}

/** The error for a damaged database. */
export function damaged(found: string): DatabaseError {
  return new DatabaseError('damaged', `The database is damaged (${found}). Restore a backup, or run "outlay doctor" to see more.`, found)
}
