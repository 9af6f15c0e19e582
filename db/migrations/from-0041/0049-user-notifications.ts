import { type Kysely, sql } from 'kysely'

const statements = [
  // Without a foreign key: a replica may not have the entry of the trail.
  `CREATE TABLE user_notifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
    user_id INTEGER NOT NULL REFERENCES users (id), activity_id INTEGER NOT NULL, kind TEXT NOT NULL,
    is_seen INTEGER NOT NULL DEFAULT 0 CHECK (is_seen IN (0, 1))
  ) STRICT`,
  `CREATE INDEX user_notifications_list ON user_notifications (user_id, id)`,
  `CREATE INDEX user_notifications_unseen ON user_notifications (user_id, id) WHERE is_seen = 0`,
]

/** What concerns each user, and whether they have seen it. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
