import { type Kysely, sql } from 'kysely'

/** A statement of which not all lines are added yet is known, so that it can be said where its import was cut off: JSON. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  await sql.raw('ALTER TABLE statement_mappings ADD COLUMN unfinished TEXT').execute(db)
}
