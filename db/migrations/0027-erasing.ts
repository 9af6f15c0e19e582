import { type Kysely, sql } from 'kysely'

const statements = [
  // Pictures of erased people: their files go as soon as nothing else names them.
  `CREATE TABLE erased_pictures (sha256 TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`,
]

/** Erasing people. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
