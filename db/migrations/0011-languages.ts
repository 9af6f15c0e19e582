import { type Kysely, sql } from 'kysely'

/**
 * The language of a user where the contract has no `locale` for it; null where `locale` says it. A column of its own, so that programs
 * with an older schema read a `locale` that they know.
 */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  await sql.raw('ALTER TABLE users ADD COLUMN language TEXT').execute(db)
}
