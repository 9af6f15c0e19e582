import { type Kysely, sql } from 'kysely'

const statements = [
  // Each request to sign in by e-mail, also for addresses that nobody has: both are written alike, so that nobody can tell them apart.
  `CREATE TABLE sign_in_codes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT NOT NULL, locale TEXT NOT NULL, code_hash TEXT, link_hash TEXT UNIQUE,
    attempts INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL, expires_at TEXT NOT NULL, sent_at TEXT, used_at TEXT) STRICT`,
  `CREATE INDEX sign_in_codes_email ON sign_in_codes (email, created_at)`,
  `CREATE INDEX sign_in_codes_waiting ON sign_in_codes (id) WHERE sent_at IS NULL`,
]

/** Codes and links that sign in once, sent by e-mail. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
