import { type Kysely, sql } from 'kysely'

const columns =
  'id, uid, version, created_at, updated_at, deleted_at, organization_id, amount_minor, currency, distance_kind, amount_millionths'

const statements = [
  `CREATE TABLE dated_rules (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    deleted_at TEXT,
    organization_id INTEGER NOT NULL REFERENCES organizations (id),
    amount_minor INTEGER NOT NULL, currency TEXT NOT NULL,
    distance_kind TEXT NOT NULL CHECK (distance_kind IN ('km', 'mi')),
    amount_millionths INTEGER NOT NULL DEFAULT 0, valid_from TEXT) STRICT`,
  // Ids that replicas have leased stay theirs: the new table counts on from where the old one is.
  `INSERT INTO sqlite_sequence (name, seq) SELECT 'dated_rules', seq FROM sqlite_sequence WHERE name = 'distance_rules'`,
  `INSERT INTO dated_rules (${columns}) SELECT ${columns} FROM distance_rules`,
  `DROP TABLE distance_rules`,
  `ALTER TABLE dated_rules RENAME TO distance_rules`,
  `CREATE INDEX distance_rules_days ON distance_rules (organization_id, valid_from) WHERE deleted_at IS NULL`,
]

/** An organization has several rates per distance, each from a day; null: for all days. The table is made again, as it had one rate for each organization. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
