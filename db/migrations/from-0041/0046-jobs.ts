import { type Kysely, sql } from 'kysely'

const statements = [
  // What people wait for, such as exports. `record`: what the use case knows of the job, as JSON; `waits`: work is wanted; `holder` does it, until `until`
  // where other servers could (milliseconds, by the database's clock); `place` names its files.
  `CREATE TABLE jobs (
    kind TEXT NOT NULL, id TEXT NOT NULL, record TEXT NOT NULL, waits INTEGER NOT NULL, holder TEXT, until INTEGER,
    takes INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0, total INTEGER, place TEXT, changed_at TEXT NOT NULL,
    PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID`,
]

/** Exports and imports are in the database. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
