import { type Kysely, sql } from 'kysely'

const states = {
  waiting: 'converted_at IS NULL AND ignored_at IS NULL',
  ignored: 'converted_at IS NULL AND ignored_at IS NOT NULL',
  converted: 'converted_at IS NOT NULL',
}

const statements = [
  `DROP INDEX pre_expenses_receiver`,
  `CREATE INDEX pre_expenses_receiver ON pre_expenses (receiver_id, converted_at, ignored_at) WHERE deleted_at IS NULL`,
  ...Object.entries(states).map(
    ([name, condition]) =>
      `CREATE INDEX pre_expenses_${name} ON pre_expenses (receiver_id, created_at, id) WHERE deleted_at IS NULL AND ${condition}`,
  ),
]

/** Indexes for each list of pre-expenses and its count: those that wait are found without the converted ones that have gathered. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
