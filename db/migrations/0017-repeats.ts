import { type Kysely, sql } from 'kysely'

const pictures = `IN ('image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/tiff')`

const statements = [
  // Where expenses of one amount and nearly one day are looked up.
  `CREATE INDEX expenses_repeats ON expenses (payer_id, amount_minor, currency, occurred_at) WHERE deleted_at IS NULL`,
  // The perceptual hash of each picture, null where it shows nothing. As invoice keys: it follows from the file alone.
  `CREATE TABLE picture_hashes (
    id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, is_read INTEGER NOT NULL DEFAULT 0, hash TEXT) STRICT`,
  `CREATE INDEX picture_hashes_unread ON picture_hashes (sha256) WHERE is_read = 0`,
  // The parts of the hashes: copies of one picture have one in common.
  `CREATE TABLE picture_bands (
    band INTEGER NOT NULL, picture_id INTEGER NOT NULL, PRIMARY KEY (band, picture_id)) STRICT, WITHOUT ROWID`,
  `CREATE INDEX picture_bands_picture ON picture_bands (picture_id)`,
  `CREATE TRIGGER blobs_with_pictures AFTER INSERT ON blobs WHEN new.content_type ${pictures}
    BEGIN INSERT OR IGNORE INTO picture_hashes (sha256) VALUES (new.sha256); END`,
  `CREATE TRIGGER blobs_without_pictures AFTER DELETE ON blobs
    BEGIN
      DELETE FROM picture_bands WHERE picture_id = (SELECT id FROM picture_hashes WHERE sha256 = old.sha256);
      DELETE FROM picture_hashes WHERE sha256 = old.sha256;
    END`,
  `INSERT INTO picture_hashes (sha256) SELECT sha256 FROM blobs WHERE content_type ${pictures}`,
  // Pairs of expenses of which someone has said that they are no repeats, the older one first; the name is the reason.
  `CREATE TABLE repeat_decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
    organization_id INTEGER NOT NULL REFERENCES organizations (id),
    user_id INTEGER NOT NULL REFERENCES users (id), name TEXT NOT NULL,
    expense_id INTEGER NOT NULL REFERENCES expenses (id), other_expense_id INTEGER NOT NULL REFERENCES expenses (id)
  ) STRICT`,
  `CREATE INDEX repeat_decisions_list ON repeat_decisions (organization_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX repeat_decisions_user ON repeat_decisions (user_id)`,
  `CREATE INDEX repeat_decisions_expense ON repeat_decisions (expense_id, other_expense_id)`,
  `CREATE INDEX repeat_decisions_other ON repeat_decisions (other_expense_id)`,
  // Open expenses that are there already are judged in the background.
  `INSERT OR IGNORE INTO policy_runs (organization_id, user_id, after_id)
    SELECT organization_id, min(user_id), 0 FROM memberships WHERE role = 'admin' AND deleted_at IS NULL GROUP BY organization_id`,
]

/** Repeats: what they are found by, and the pairs that are none. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
