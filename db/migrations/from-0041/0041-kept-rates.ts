import { type Kysely, sql } from 'kysely'

/** The exchange rates that a closed month was closed with, so that later ones change none of its figures. Months that are closed already have none. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  await sql.raw(`ALTER TABLE closings ADD COLUMN rates TEXT`).execute(db)
}
