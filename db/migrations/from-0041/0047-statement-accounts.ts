import { type Kysely, sql } from 'kysely'

/** The accounts from which a card's statements came are known by their last digits and a keyed hash: JSON. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  await sql.raw('ALTER TABLE statement_mappings ADD COLUMN accounts TEXT').execute(db)
}
