import { type Kysely, sql } from 'kysely'

/** The days that a card's statements cover, and what was imported already, tell whether a line of a next one is known: JSON. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  await sql.raw('ALTER TABLE statement_mappings ADD COLUMN history TEXT').execute(db)
}
