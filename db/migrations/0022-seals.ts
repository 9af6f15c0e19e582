import { type Kysely, sql } from 'kysely'

const unlessReplica = `NOT EXISTS (SELECT 1 FROM sync_state WHERE key = 'remote')`

const statements = [
  // A seal proves the entries of one chain up to `last_id`. Organization 0: the entries of no organization, such as those of a user.
  `CREATE TABLE audit_seals (
    id INTEGER PRIMARY KEY AUTOINCREMENT, organization_id INTEGER NOT NULL, number INTEGER NOT NULL,
    first_id INTEGER NOT NULL, last_id INTEGER NOT NULL, entries INTEGER NOT NULL, total INTEGER NOT NULL, root TEXT NOT NULL, previous TEXT NOT NULL,
    sealed_at TEXT NOT NULL, public_key TEXT NOT NULL, signature TEXT NOT NULL, head TEXT NOT NULL) STRICT`,
  `CREATE UNIQUE INDEX audit_seals_chain ON audit_seals (organization_id, number)`,
  `CREATE INDEX audit_seals_last ON audit_seals (last_id)`,
  // What a sealed entry needs to be proved again: the file that it names, and, where it names a person, a salt that can be forgotten.
  `CREATE TABLE audit_parts (
    activity_id INTEGER PRIMARY KEY, sha256 TEXT, salt TEXT, details_hash TEXT,
    CHECK (sha256 IS NOT NULL OR details_hash IS NOT NULL)) STRICT`,
  ...['audit_seals', 'audit_parts'].flatMap((table) => [
    `CREATE TRIGGER ${table}_append_only_delete BEFORE DELETE ON ${table} WHEN ${unlessReplica}
      BEGIN SELECT RAISE(ABORT, 'seals are append-only'); END`,
    `CREATE TRIGGER ${table}_append_only_update BEFORE UPDATE ON ${table} WHEN ${unlessReplica}
      ${table === 'audit_parts' ? 'AND NOT (NEW.salt IS NULL AND NEW.activity_id IS OLD.activity_id AND NEW.sha256 IS OLD.sha256 AND NEW.details_hash IS OLD.details_hash)' : ''}
      BEGIN SELECT RAISE(ABORT, 'seals are append-only'); END`,
  ]),
  // The details of an entry may go when its salt is gone: that is how a person is erased, and the seals stay valid.
  `DROP TRIGGER activities_append_only_update`,
  `CREATE TRIGGER activities_append_only_update BEFORE UPDATE ON activities
    WHEN ${unlessReplica} AND NOT (NEW.details = '[]'
      AND EXISTS (SELECT 1 FROM audit_parts WHERE activity_id = OLD.id AND salt IS NULL AND details_hash IS NOT NULL)
      AND NEW.id IS OLD.id AND NEW.uid IS OLD.uid AND NEW.organization_id IS OLD.organization_id AND NEW.user_id IS OLD.user_id
      AND NEW.subject_type IS OLD.subject_type AND NEW.subject_id IS OLD.subject_id AND NEW.source_type IS OLD.source_type
      AND NEW.source_id IS OLD.source_id AND NEW.event IS OLD.event AND NEW.origin IS OLD.origin
      AND NEW.request_id IS OLD.request_id AND NEW.occurred_at IS OLD.occurred_at AND NEW.created_at IS OLD.created_at)
    BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END`,
]

/** Seals of the audit trail. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
