import { type Kysely, sql } from 'kysely'

const statements = [
  // One row for each membership that someone else gave a user, until the user has read that.
  `CREATE TABLE join_notices (
    membership_id INTEGER PRIMARY KEY REFERENCES memberships (id), user_id INTEGER NOT NULL REFERENCES users (id),
    added_by_user_id INTEGER NOT NULL REFERENCES users (id), created_at TEXT NOT NULL) STRICT`,
  `CREATE INDEX join_notices_user ON join_notices (user_id)`,
  `CREATE INDEX join_notices_added_by ON join_notices (added_by_user_id)`,
]

/** Notices for users whom someone added to an organization. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
