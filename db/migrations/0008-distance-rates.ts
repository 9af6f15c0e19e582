import { type Kysely, sql } from 'kysely'

/**
 * Rates per distance with six decimals: what of a rate lies below its currency's minor unit, in millionths of the major unit. A column
 * of its own, so that rows of instances with an older schema keep their meaning.
 */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  await sql.raw('ALTER TABLE distance_rules ADD COLUMN amount_millionths INTEGER NOT NULL DEFAULT 0').execute(db)
}
