import { type Kysely, sql } from 'kysely'

/** Whether an organization has someone else approve what a person claims, and someone else pay what a person approved. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const column of ['separate_approval', 'separate_payment'])
    await sql.raw(`ALTER TABLE organizations ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`).execute(db)
}
