import { type Kysely, sql } from 'kysely'

const record = `id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
    organization_id INTEGER NOT NULL REFERENCES organizations (id), name TEXT NOT NULL`

const statements = [
  `CREATE TABLE approval_rules (
    ${record}, rule TEXT NOT NULL, user_ids TEXT, tag_ids TEXT, amount_minor INTEGER, amount_scaled INTEGER, currency TEXT
  ) STRICT`,
  `CREATE INDEX approval_rules_list ON approval_rules (organization_id, created_at, id) WHERE deleted_at IS NULL`,
  // One user stands in for another from one instant until, not at, another.
  `CREATE TABLE stand_ins (
    ${record}, user_id INTEGER NOT NULL REFERENCES users (id), delegate_id INTEGER NOT NULL REFERENCES users (id),
    starts_at TEXT NOT NULL, ends_at TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX stand_ins_list ON stand_ins (organization_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX stand_ins_user ON stand_ins (user_id)`,
  `CREATE INDEX stand_ins_delegate ON stand_ins (delegate_id)`,
]

/** Who may approve what, what two people decide, and who stands in for whom. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
