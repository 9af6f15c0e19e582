import { type Kysely, sql } from 'kysely'

const statements = [
  // A row of JSON for each row of a snapshot cost more than the snapshot: a part of a page is put aside as it came.
  `DROP TABLE sync_staged`,
  `CREATE TABLE sync_staged (
    id INTEGER PRIMARY KEY, table_name TEXT NOT NULL, columns TEXT NOT NULL, rows TEXT NOT NULL) STRICT`,
  `CREATE INDEX sync_staged_table ON sync_staged (table_name, id)`,
  // One that was under way begins anew.
  `DELETE FROM sync_state WHERE key = 'snapshot'`,
]

/** Snapshots: put aside by parts. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
