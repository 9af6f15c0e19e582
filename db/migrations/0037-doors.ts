import { type Kysely, sql } from 'kysely'

const statements = [
  // `counter`: how often the authenticator says that it has signed. `cloned_at`: when it said fewer than before, as a copy does.
  `CREATE TABLE passkeys (
    id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL REFERENCES users (id), credential_id TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL, counter INTEGER NOT NULL, name TEXT NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT, cloned_at TEXT) STRICT`,
  `CREATE INDEX passkeys_user ON passkeys (user_id)`,
  `CREATE TABLE recovery_codes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL REFERENCES users (id), code_hash TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL, used_at TEXT) STRICT`,
  `CREATE INDEX recovery_codes_user ON recovery_codes (user_id)`,
  // What a browser has to bring back, once: the challenge of a passkey, or the state of a sign-in elsewhere. Taking it deletes it.
  `CREATE TABLE sign_in_challenges (
    hash TEXT PRIMARY KEY, purpose TEXT NOT NULL, user_id INTEGER, data TEXT, created_at TEXT NOT NULL, expires_at TEXT NOT NULL) STRICT`,
  `CREATE INDEX sign_in_challenges_expiry ON sign_in_challenges (expires_at)`,
]

/** Passkeys, recovery codes, and the challenges of sign-ins. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
