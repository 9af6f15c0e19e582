import { type Kysely, sql } from 'kysely'

/**
 * What each expense of a handover was booked with, as JSON; `null` as JSON where nothing was booked. Of rows before this nobody wrote it down: the audit trail
 * says it. `left_out`: which expenses a handover left out, as JSON.
 */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  await sql.raw(`ALTER TABLE handover_rows ADD COLUMN booking TEXT`).execute(db)
  await sql.raw(`ALTER TABLE handovers ADD COLUMN left_out TEXT`).execute(db)
}
