import { type Kysely, sql } from 'kysely'

/** Sums by status and by claimant read expenses in the order in which they are added up. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  await sql.raw(`DROP INDEX expenses_summary`).execute(db)
  await sql
    .raw(
      `CREATE INDEX expenses_summary ON expenses (payer_id, status, currency, approved_amount_currency, receiver_id, amount_minor, approved_amount_minor) WHERE deleted_at IS NULL`,
    )
    .execute(db)
}
