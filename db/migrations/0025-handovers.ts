import { type Kysely, sql } from 'kysely'

const statements = [
  // `asked`: the body that asked for it, as JSON. `row_count`: how many expenses the file has.
  `CREATE TABLE handovers (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL,
    organization_id INTEGER NOT NULL REFERENCES organizations (id), user_id INTEGER NOT NULL REFERENCES users (id),
    corrects_id INTEGER REFERENCES handovers (id), format TEXT NOT NULL, title TEXT, asked TEXT NOT NULL,
    file_name TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, row_count INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX handovers_list ON handovers (organization_id, id)`,
  `CREATE INDEX handovers_user ON handovers (user_id)`,
  `CREATE INDEX handovers_corrects ON handovers (corrects_id)`,
  // The expenses of each file, with their version and a hash of what the file says of them.
  `CREATE TABLE handover_rows (
    handover_id INTEGER NOT NULL REFERENCES handovers (id), expense_id INTEGER NOT NULL REFERENCES expenses (id),
    version INTEGER NOT NULL, fingerprint TEXT NOT NULL, PRIMARY KEY (handover_id, expense_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX handover_rows_expense ON handover_rows (expense_id, handover_id)`,
  ...['handovers', 'handover_rows'].flatMap((table) =>
    ['UPDATE', 'DELETE'].map(
      (verb) => `CREATE TRIGGER ${table}_append_only_${verb.toLowerCase()} BEFORE ${verb} ON ${table}
        BEGIN SELECT RAISE(ABORT, 'handovers are append-only'); END`,
    ),
  ),
]

/** Handovers to accounting: which expenses left in which file. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
