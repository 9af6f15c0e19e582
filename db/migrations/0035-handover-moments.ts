import { type Kysely, sql } from 'kysely'

/** The last entry of the audit trail that a handover's rows were read with; of earlier handovers nobody knows. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  await sql.raw(`ALTER TABLE handovers ADD COLUMN trail_end INTEGER`).execute(db)
}
