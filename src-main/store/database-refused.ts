/** The database in a data folder cannot be used as it is; `message` says what to do. Nothing was changed. */
export class DatabaseRefused extends Error {
  constructor(
    readonly kind: 'newer' | 'damaged' | 'in_use' | 'missing',
    message: string,
    /** What was found: the words of SQLite, or the version of the program that wrote the database. */
    readonly found = message,
  ) {
    super(message)
  }
}
