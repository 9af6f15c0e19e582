import { type Kysely, sql } from 'kysely'

const record = `id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
    organization_id INTEGER NOT NULL REFERENCES organizations (id), user_id INTEGER NOT NULL REFERENCES users (id)`

const statements = [
  // The lines of the statements of cards; the user is the card's holder. What was spent is positive, what came back negative.
  `CREATE TABLE statement_lines (
    ${record},
    name TEXT NOT NULL, corporative_card_id INTEGER NOT NULL REFERENCES corporative_cards (id), occurred_at TEXT NOT NULL,
    amount_minor INTEGER NOT NULL, amount_scaled INTEGER NOT NULL, currency TEXT NOT NULL, external_id TEXT NOT NULL,
    line_kind TEXT NOT NULL, original_amount_minor INTEGER, original_amount_scaled INTEGER, original_currency TEXT, rate REAL,
    reason TEXT, pre_expense_id INTEGER REFERENCES pre_expenses (id)
  ) STRICT`,
  `CREATE INDEX statement_lines_list ON statement_lines (organization_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE UNIQUE INDEX statement_lines_identity ON statement_lines (corporative_card_id, external_id) WHERE deleted_at IS NULL`,
  `CREATE INDEX statement_lines_card ON statement_lines (corporative_card_id, occurred_at)`,
  `CREATE INDEX statement_lines_user ON statement_lines (user_id)`,
  `CREATE INDEX statement_lines_pre_expense ON statement_lines (pre_expense_id)`,
  // Which expenses belong to which lines; one line can have several, and one expense. \`filled\`: what the expense got from the line, as JSON.
  `CREATE TABLE statement_matches (
    ${record},
    name TEXT NOT NULL, statement_line_id INTEGER NOT NULL REFERENCES statement_lines (id),
    expense_id INTEGER NOT NULL REFERENCES expenses (id), filled TEXT
  ) STRICT`,
  `CREATE INDEX statement_matches_list ON statement_matches (organization_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX statement_matches_line ON statement_matches (statement_line_id)`,
  `CREATE INDEX statement_matches_expense ON statement_matches (expense_id)`,
  `CREATE INDEX statement_matches_user ON statement_matches (user_id)`,
  // How the delimited statements of a card are read, as JSON.
  `CREATE TABLE statement_mappings (
    corporative_card_id INTEGER PRIMARY KEY REFERENCES corporative_cards (id), mapping TEXT NOT NULL) STRICT`,
  // When the card was charged: the day of the first line that the expense belongs to.
  `ALTER TABLE expenses ADD COLUMN paid_on TEXT`,
]

/** Statements of cards: their lines, and the expenses that belong to them. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
