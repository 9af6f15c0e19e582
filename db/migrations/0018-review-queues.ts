import { type Kysely, sql } from 'kysely'

// With the plus sign, no other index is taken for it.
const waiting = `deleted_at IS NULL AND +status IN ('awaiting_analysis', 'analyzing', 'analyzed')`

const statements = [
  // The queues of reviewers: newest, oldest and largest first, and with findings the worst first.
  ...['occurred_at', 'amount_scaled'].flatMap((column) => [
    `CREATE INDEX expenses_clean_${column} ON expenses (payer_id, ${column}, id) WHERE flag_level IS NULL AND ${waiting}`,
    `CREATE INDEX expenses_flagged_${column} ON expenses (payer_id, ${column}, id) WHERE flag_level IS NOT NULL AND ${waiting}`,
  ]),
  `CREATE INDEX expenses_flagged_level ON expenses (payer_id, flag_level, occurred_at, id) WHERE flag_level IS NOT NULL AND ${waiting}`,
]

/** What reviewers look at: expenses that wait, without findings and with them. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
