import { type Kysely, sql } from 'kysely'

/** The last entry of the audit trail before a file was replaced: entries up to it name that file. Of earlier replacements nobody knows. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  await sql.raw(`ALTER TABLE replaced_files ADD COLUMN trail_end INTEGER`).execute(db)
  await sql.raw(`CREATE INDEX replaced_files_attachment ON replaced_files (attachment_id)`).execute(db)
}
