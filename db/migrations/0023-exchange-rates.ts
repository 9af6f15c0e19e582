import { type Kysely, sql } from 'kysely'

const statements = [
  `CREATE TABLE exchange_rates (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
    organization_id INTEGER NOT NULL REFERENCES organizations (id), name TEXT NOT NULL,
    source TEXT NOT NULL, currency TEXT NOT NULL, rates TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX exchange_rates_list ON exchange_rates (organization_id, created_at, id) WHERE deleted_at IS NULL`,
]

/** Sheets of exchange rates, as they were published or entered. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
