import { type Kysely, sql } from 'kysely'

const statements = [
  `CREATE TABLE policies (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
    organization_id INTEGER NOT NULL REFERENCES organizations (id),
    name TEXT NOT NULL, weight TEXT NOT NULL, condition TEXT NOT NULL,
    amount_minor INTEGER, amount_scaled INTEGER, currency TEXT, days INTEGER,
    tag_id INTEGER REFERENCES tags (id), holds_from TEXT, versions TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX policies_list ON policies (organization_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX policies_tag ON policies (tag_id)`,
  `ALTER TABLE expenses ADD COLUMN flags TEXT`,
  `ALTER TABLE expenses ADD COLUMN flag_level INTEGER`,
  // Most expenses have none: they are not in it.
  `CREATE INDEX expenses_payer_flag_level ON expenses (payer_id, flag_level, occurred_at, id)
    WHERE deleted_at IS NULL AND flag_level IS NOT NULL`,
  // Organizations whose open expenses wait to be judged again, on behalf of whoever changed a policy.
  `CREATE TABLE policy_runs (
    organization_id INTEGER PRIMARY KEY REFERENCES organizations (id), user_id INTEGER NOT NULL, after_id INTEGER NOT NULL
  ) STRICT`,
]

/** Policies of organizations, and what they find against expenses. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
