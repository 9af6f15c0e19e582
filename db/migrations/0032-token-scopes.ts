import { type Kysely, sql } from 'kysely'

const statements = [
  // Scopes by name, separated by spaces. Null, as in every token so far: all that its user may do, without end.
  `ALTER TABLE api_tokens ADD COLUMN scopes TEXT`,
  `ALTER TABLE api_tokens ADD COLUMN expires_at TEXT`,
  // How the session began, and with which browser; of earlier sessions nobody knows.
  `ALTER TABLE sessions ADD COLUMN door TEXT`,
  `ALTER TABLE sessions ADD COLUMN user_agent TEXT`,
]

/** Scopes and ends of API tokens; how sessions began. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
