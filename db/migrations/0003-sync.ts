import { type Kysely, sql } from 'kysely'

const statements = [
  ...['id_leases', 'sync_journal', 'sync_operations'].map((table) => `DROP TABLE ${table}`),

  // What a remote knows of its replicas
  `CREATE TABLE sync_devices (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, user_id INTEGER NOT NULL REFERENCES users (id),
    name TEXT NOT NULL, turn TEXT NOT NULL, next_turn TEXT NOT NULL, seq INTEGER NOT NULL DEFAULT 0,
    created_at TEXT NOT NULL, last_seen_at TEXT NOT NULL) STRICT`,
  `CREATE INDEX sync_devices_user ON sync_devices (user_id)`,
  `CREATE TABLE sync_grants (
    table_name TEXT NOT NULL, first_id INTEGER NOT NULL, last_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id), created_at TEXT NOT NULL, PRIMARY KEY (table_name, first_id)) STRICT, WITHOUT ROWID`,
  `CREATE INDEX sync_grants_user ON sync_grants (user_id)`,
  `CREATE TABLE sync_operations (
    op_id TEXT PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id), body_hash TEXT NOT NULL,
    result TEXT NOT NULL, created_at TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE INDEX sync_operations_user ON sync_operations (user_id)`,
  `CREATE INDEX sync_operations_age ON sync_operations (created_at)`,
  `CREATE INDEX change_log_operation ON change_log (op_id) WHERE op_id IS NOT NULL`,

  // What a replica knows of its remote
  `CREATE TABLE id_leases (
    id INTEGER PRIMARY KEY AUTOINCREMENT, table_name TEXT NOT NULL, next_id INTEGER NOT NULL, last_id INTEGER NOT NULL,
    created_at TEXT NOT NULL) STRICT`,
  `CREATE INDEX id_leases_table ON id_leases (table_name, id)`,
  `CREATE TABLE sync_journal (
    id INTEGER PRIMARY KEY AUTOINCREMENT, op_id TEXT NOT NULL UNIQUE, user_id INTEGER NOT NULL REFERENCES users (id),
    device_uid TEXT NOT NULL, api_version TEXT NOT NULL, group_id TEXT, policy TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
    body TEXT NOT NULL, refs TEXT NOT NULL, blobs TEXT NOT NULL, minted TEXT NOT NULL, seen TEXT NOT NULL, after_ops TEXT NOT NULL,
    depends_on TEXT NOT NULL, base TEXT NOT NULL, mine TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'acknowledged', 'settled', 'conflict', 'rejected', 'parked',
      'quarantined', 'discarded')),
    attempts INTEGER NOT NULL DEFAULT 0, last_answer TEXT, effect_seq INTEGER, bytes INTEGER NOT NULL,
    created_at TEXT NOT NULL, sent_at TEXT, settled_at TEXT) STRICT`,
  `CREATE INDEX sync_journal_state ON sync_journal (state, id)`,
  `CREATE INDEX sync_journal_user ON sync_journal (user_id)`,
  `CREATE INDEX sync_journal_effect ON sync_journal (effect_seq) WHERE effect_seq IS NOT NULL`,
  `CREATE TABLE sync_undo (
    id INTEGER PRIMARY KEY AUTOINCREMENT, operation INTEGER NOT NULL, table_name TEXT NOT NULL, record_key TEXT NOT NULL,
    record_uid TEXT, version_before INTEGER, statement TEXT NOT NULL) STRICT`,
  `CREATE INDEX sync_undo_operation ON sync_undo (operation, id)`,
  `CREATE INDEX sync_undo_record ON sync_undo (table_name, record_key, operation)`,
  `CREATE TABLE sync_staged (
    table_name TEXT NOT NULL, record_key TEXT NOT NULL, columns TEXT NOT NULL, row TEXT NOT NULL,
    PRIMARY KEY (table_name, record_key)) STRICT`,
  `CREATE TABLE sync_blobs (
    sha256 TEXT NOT NULL, direction TEXT NOT NULL CHECK (direction IN ('up', 'down')), bytes INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, last_error TEXT, created_at TEXT NOT NULL, PRIMARY KEY (direction, sha256)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE sync_offers (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, title TEXT NOT NULL, payload TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('offered', 'accepted', 'dismissed')), created_at TEXT NOT NULL) STRICT`,
  `CREATE INDEX sync_offers_state ON sync_offers (state, id)`,

  // On a replica the trail is the remote's: what stands here of it comes and goes with what this device may see.
  `DROP TRIGGER activities_append_only_update`,
  `DROP TRIGGER activities_append_only_delete`,
  ...['UPDATE', 'DELETE'].map(
    (verb) => `CREATE TRIGGER activities_append_only_${verb.toLowerCase()} BEFORE ${verb} ON activities
      WHEN NOT EXISTS (SELECT 1 FROM sync_state WHERE key = 'remote')
      BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END`,
  ),
]

/** Replicas: their operations, their leased ids, and what they have yet to send, to fetch and to settle. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
