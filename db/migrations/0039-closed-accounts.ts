import { type Kysely, sql } from 'kysely'

/** People who were removed from their last organization: nothing signs them in until they belong to one again. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  await sql
    .raw(`CREATE TABLE closed_accounts (user_id INTEGER PRIMARY KEY REFERENCES users (id), closed_at TEXT NOT NULL) STRICT`)
    .execute(db)
}
