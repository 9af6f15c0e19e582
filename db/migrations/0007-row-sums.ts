import { type Kysely, sql } from 'kysely'

const statements = [
  // A checksum over the rows of some ids of a table; who writes a row writes its sum in the same transaction (store/core/row-sums.ts).
  `CREATE TABLE row_sums (
    table_name TEXT NOT NULL, block INTEGER NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (table_name, block)) STRICT, WITHOUT ROWID`,
]

/** Checksums of rows, by which damage that SQLite cannot see is found. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
