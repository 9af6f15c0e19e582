import { type Kysely, sql } from 'kysely'

const byPayer = ['status', 'receiver_id', 'currency', 'kind', 'liquidate_through_advancement']

const statements = [
  // Expenses are listed by the day on which they occurred: the indexes that end in the order of the list end in that.
  ...byPayer.flatMap((column) => [
    `DROP INDEX expenses_payer_${column}`,
    `CREATE INDEX expenses_payer_${column} ON expenses (payer_id, ${column}, occurred_at, id) WHERE deleted_at IS NULL`,
  ]),
  `DROP INDEX expenses_receiver`,
  `CREATE INDEX expenses_receiver ON expenses (receiver_id, occurred_at, id) WHERE deleted_at IS NULL`,
]

/** Indexes for the order in which expenses are listed. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
