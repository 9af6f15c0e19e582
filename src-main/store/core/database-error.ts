import Database from 'better-sqlite3'

/** Why a database cannot be used: `missing`, the folder holds files and no database; `not_upgraded`, a migration failed;
 * `unreachable`, a server keeps it and cannot be used; `served`, another Outlay serves it, and their files are apart; `left_behind`, it is
 * empty, and the folder has data. */
export type RefusalKind = 'newer' | 'damaged' | 'in_use' | 'missing' | 'not_upgraded' | 'unreachable' | 'served' | 'left_behind'

/** The database in a data folder cannot be used as it is; `message` says what to do. Nothing was changed. */
export class DatabaseError extends Error {
  constructor(
    readonly kind: RefusalKind,
    message: string,
    /** What was found: the words of SQLite, or the version of the program that wrote the database. */
    readonly found = message,
  ) {
    super(message)
  }
}

/** What became of a request whose database could not be reached; `taken`: another program uses it now, and nothing was changed. */
export type AwayOutcome = 'unchanged' | 'unknown' | 'taken'

/** A database on a server cannot be used just now. */
export class DatabaseAway extends Error {
  constructor(
    readonly outcome: AwayOutcome,
    options?: ErrorOptions,
  ) {
    super('The database cannot be used just now.', options)
  }
}

/** What the machine refuses says nothing of the database; whatever else SQLite says of one that it opens, is its damage. */
const faultsOfTheMachine = /^SQLITE_(FULL|READONLY|CANTOPEN|PERM|AUTH|BUSY|LOCKED|NOMEM|IOERR(?!_SHORT_READ|_CORRUPTFS))/

/** Whether the machine, and not the database, is at fault. */
export function isFaultOfMachine(error: unknown): boolean {
  return error instanceof Database.SqliteError && faultsOfTheMachine.test(error.code)
}

/** An error of an opening, as damage where it is that. */
export function asDamage(error: unknown): unknown {
  return error instanceof Database.SqliteError && !isFaultOfMachine(error) ? damaged(error.message) : error
}

/** The refusal of a damaged database. */
export function damaged(found: string): DatabaseError {
  return new DatabaseError('damaged', `The database is damaged (${found}). Restore a backup, or run "outlay doctor" to see more.`, found)
}
