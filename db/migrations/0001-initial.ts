import { type Kysely, sql } from 'kysely'

const identity = `
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT`

const counters = `
  attachments_count INTEGER NOT NULL DEFAULT 0,
  comments_count INTEGER NOT NULL DEFAULT 0,
  activities_count INTEGER NOT NULL DEFAULT 0`

/** One of three parents, as real foreign keys: exactly one is set. */
const parent = `
  expense_id INTEGER REFERENCES expenses (id),
  advancement_id INTEGER REFERENCES advancements (id),
  reimbursement_id INTEGER REFERENCES reimbursements (id),
  CHECK ((expense_id IS NOT NULL) + (advancement_id IS NOT NULL) + (reimbursement_id IS NOT NULL) = 1)`

const statements = [
  // The instance itself
  `CREATE TABLE instance_settings (
    key TEXT PRIMARY KEY, value TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT, WITHOUT ROWID`,

  // People and organizations
  `CREATE TABLE blobs (
    sha256 TEXT PRIMARY KEY, bytes INTEGER NOT NULL, md5 TEXT NOT NULL, content_type TEXT NOT NULL,
    width INTEGER, height INTEGER, pages INTEGER, created_at TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE organizations (${identity},
    name TEXT NOT NULL, restricted_tags INTEGER NOT NULL DEFAULT 0, expired_at TEXT,
    logo_sha256 TEXT REFERENCES blobs (sha256)) STRICT`,
  `CREATE TABLE users (${identity},
    first_name TEXT NOT NULL, last_name TEXT NOT NULL, mention_name TEXT NOT NULL COLLATE NOCASE UNIQUE,
    default_currency TEXT NOT NULL, locale TEXT NOT NULL, timezone TEXT NOT NULL,
    avatar_sha256 TEXT REFERENCES blobs (sha256)) STRICT`,
  `CREATE INDEX organizations_logo ON organizations (logo_sha256) WHERE logo_sha256 IS NOT NULL`,
  `CREATE INDEX users_avatar ON users (avatar_sha256) WHERE avatar_sha256 IS NOT NULL`,
  `CREATE TABLE user_emails (
    id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL REFERENCES users (id),
    email TEXT NOT NULL COLLATE NOCASE UNIQUE, main INTEGER NOT NULL, created_at TEXT NOT NULL) STRICT`,
  `CREATE INDEX user_emails_user ON user_emails (user_id)`,
  `CREATE TABLE memberships (${identity},
    organization_id INTEGER NOT NULL REFERENCES organizations (id),
    user_id INTEGER NOT NULL REFERENCES users (id),
    role TEXT NOT NULL CHECK (role IN ('member', 'analyst', 'manager', 'admin'))) STRICT`,
  `CREATE UNIQUE INDEX memberships_live ON memberships (organization_id, user_id) WHERE deleted_at IS NULL`,
  `CREATE INDEX memberships_user ON memberships (user_id, organization_id)`,
  `CREATE INDEX memberships_list ON memberships (organization_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE TABLE invitations (${identity},
    organization_id INTEGER NOT NULL REFERENCES organizations (id),
    email TEXT NOT NULL COLLATE NOCASE, role TEXT NOT NULL, invited_by_user_id INTEGER NOT NULL REFERENCES users (id),
    token_hash TEXT UNIQUE, sent_at TEXT, accepted_at TEXT, expires_at TEXT) STRICT`,
  `CREATE UNIQUE INDEX invitations_open ON invitations (organization_id, email) WHERE deleted_at IS NULL AND accepted_at IS NULL`,
  `CREATE INDEX invitations_inviter ON invitations (invited_by_user_id)`,
  `CREATE TABLE api_tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, user_id INTEGER NOT NULL REFERENCES users (id),
    token_hash TEXT NOT NULL UNIQUE, description TEXT NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT,
    revoked_at TEXT) STRICT`,
  `CREATE INDEX api_tokens_user ON api_tokens (user_id)`,
  `CREATE TABLE sessions (
    session_hash TEXT PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users (id),
    api_token_id INTEGER REFERENCES api_tokens (id), created_at TEXT NOT NULL, expires_at TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE INDEX sessions_user ON sessions (user_id)`,
  `CREATE INDEX sessions_token ON sessions (api_token_id)`,
  `CREATE TABLE devices (${identity},
    user_id INTEGER NOT NULL REFERENCES users (id), name TEXT NOT NULL, kind TEXT NOT NULL,
    push_endpoint TEXT UNIQUE, push_p256dh TEXT, push_auth TEXT, last_seen_at TEXT, gone_at TEXT) STRICT`,
  `CREATE INDEX devices_user ON devices (user_id)`,

  // Organization settings
  `CREATE TABLE tags (${identity},
    organization_id INTEGER NOT NULL REFERENCES organizations (id),
    name TEXT NOT NULL, name_key TEXT NOT NULL, group_name TEXT) STRICT`,
  `CREATE UNIQUE INDEX tags_name ON tags (organization_id, name_key) WHERE deleted_at IS NULL`,
  `CREATE INDEX tags_list ON tags (organization_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE TABLE tag_restrictions (
    tag_id INTEGER NOT NULL REFERENCES tags (id), user_id INTEGER NOT NULL REFERENCES users (id),
    PRIMARY KEY (tag_id, user_id)) STRICT, WITHOUT ROWID`,
  `CREATE INDEX tag_restrictions_user ON tag_restrictions (user_id)`,
  `CREATE TABLE distance_rules (${identity},
    organization_id INTEGER NOT NULL UNIQUE REFERENCES organizations (id),
    amount_minor INTEGER NOT NULL, currency TEXT NOT NULL,
    distance_kind TEXT NOT NULL CHECK (distance_kind IN ('km', 'mi'))) STRICT`,
  `CREATE TABLE corporative_cards (${identity},
    organization_id INTEGER NOT NULL REFERENCES organizations (id), user_id INTEGER NOT NULL REFERENCES users (id),
    name TEXT NOT NULL, number_length INTEGER NOT NULL, number_last4 TEXT NOT NULL, number_hmac TEXT NOT NULL,
    flag TEXT NOT NULL, expiration_month INTEGER NOT NULL, expiration_year INTEGER NOT NULL,
    active INTEGER NOT NULL DEFAULT 1) STRICT`,
  `CREATE INDEX corporative_cards_user ON corporative_cards (user_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX corporative_cards_organization ON corporative_cards (organization_id, number_hmac)`,

  // Money
  `CREATE TABLE reimbursements (${identity}, ${counters},
    payer_id INTEGER NOT NULL REFERENCES organizations (id), receiver_id INTEGER NOT NULL REFERENCES users (id),
    responsible_user_id INTEGER NOT NULL REFERENCES users (id),
    description TEXT, amount_minor INTEGER NOT NULL CHECK (amount_minor > 0), amount_scaled INTEGER NOT NULL,
    currency TEXT NOT NULL, date TEXT NOT NULL) STRICT`,
  `CREATE INDEX reimbursements_payer ON reimbursements (payer_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX reimbursements_receiver ON reimbursements (receiver_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX reimbursements_responsible ON reimbursements (responsible_user_id)`,
  `CREATE TABLE advancements (${identity}, ${counters},
    payer_id INTEGER NOT NULL REFERENCES organizations (id), receiver_id INTEGER NOT NULL REFERENCES users (id),
    responsible_user_id INTEGER NOT NULL REFERENCES users (id),
    description TEXT, amount_minor INTEGER NOT NULL CHECK (amount_minor > 0), amount_scaled INTEGER NOT NULL,
    currency TEXT NOT NULL, date TEXT NOT NULL) STRICT`,
  `CREATE INDEX advancements_payer ON advancements (payer_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX advancements_receiver ON advancements (receiver_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX advancements_balance ON advancements (payer_id, receiver_id, currency, amount_minor) WHERE deleted_at IS NULL`,
  `CREATE INDEX advancements_responsible ON advancements (responsible_user_id)`,
  `CREATE TABLE advancement_devolutions (${identity},
    payer_id INTEGER NOT NULL REFERENCES organizations (id), receiver_id INTEGER NOT NULL REFERENCES users (id),
    responsible_user_id INTEGER NOT NULL REFERENCES users (id),
    amount_minor INTEGER NOT NULL CHECK (amount_minor > 0), amount_scaled INTEGER NOT NULL,
    currency TEXT NOT NULL, date TEXT NOT NULL) STRICT`,
  `CREATE INDEX devolutions_balance ON advancement_devolutions (payer_id, receiver_id, currency, amount_minor) WHERE deleted_at IS NULL`,
  `CREATE INDEX devolutions_receiver ON advancement_devolutions (receiver_id)`,
  `CREATE INDEX devolutions_responsible ON advancement_devolutions (responsible_user_id)`,
  `CREATE TABLE pre_expenses (${identity},
    receiver_id INTEGER NOT NULL REFERENCES users (id), author_id INTEGER NOT NULL REFERENCES users (id),
    description TEXT, amount_minor INTEGER, amount_scaled INTEGER, currency TEXT, occurred_at TEXT,
    tags TEXT NOT NULL DEFAULT '', extra_information TEXT NOT NULL DEFAULT '{}', external_id TEXT,
    ignored_at TEXT, converted_at TEXT) STRICT`,
  `CREATE UNIQUE INDEX pre_expenses_external ON pre_expenses (author_id, external_id) WHERE external_id IS NOT NULL AND deleted_at IS NULL`,
  `CREATE INDEX pre_expenses_receiver ON pre_expenses (receiver_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE TABLE expenses (${identity}, ${counters},
    payer_id INTEGER NOT NULL REFERENCES organizations (id), receiver_id INTEGER NOT NULL REFERENCES users (id),
    author_id INTEGER NOT NULL REFERENCES users (id), responsible_user_id INTEGER REFERENCES users (id),
    kind TEXT NOT NULL CHECK (kind IN ('monetary', 'distance')),
    description TEXT, amount_minor INTEGER NOT NULL CHECK (amount_minor > 0), amount_scaled INTEGER NOT NULL,
    currency TEXT NOT NULL, approved_amount_minor INTEGER CHECK (approved_amount_minor > 0),
    approved_amount_scaled INTEGER, approved_amount_currency TEXT,
    status TEXT NOT NULL CHECK (status IN ('awaiting_analysis', 'analyzing', 'analyzed', 'pending', 'approved',
      'liquidated', 'rejected', 'noncompliant')),
    ignore_noncompliant INTEGER, occurred_at TEXT NOT NULL,
    latitude REAL, longitude REAL, location TEXT, liquidate_through_advancement INTEGER NOT NULL DEFAULT 0,
    distance REAL, distance_kind TEXT, origin TEXT, origin_latitude REAL, origin_longitude REAL,
    destination TEXT, destination_latitude REAL, destination_longitude REAL, travel_time INTEGER,
    corporative_card_id INTEGER REFERENCES corporative_cards (id),
    pre_expense_id INTEGER REFERENCES pre_expenses (id),
    reimbursement_id INTEGER REFERENCES reimbursements (id), external_id TEXT,
    CHECK ((approved_amount_minor IS NULL) = (approved_amount_currency IS NULL))) STRICT`,
  ...['created_at', 'updated_at', 'occurred_at', 'amount_scaled', 'approved_amount_scaled', 'description', 'location'].map(
    (column) => `CREATE INDEX expenses_payer_${column} ON expenses (payer_id, ${column}, id) WHERE deleted_at IS NULL`,
  ),
  ...['status', 'receiver_id', 'currency', 'kind', 'liquidate_through_advancement'].map(
    (column) => `CREATE INDEX expenses_payer_${column} ON expenses (payer_id, ${column}, created_at, id) WHERE deleted_at IS NULL`,
  ),
  `CREATE INDEX expenses_payer_id ON expenses (payer_id, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX expenses_summary ON expenses (payer_id, status, currency, receiver_id, amount_minor, approved_amount_currency, approved_amount_minor) WHERE deleted_at IS NULL`,
  `CREATE INDEX expenses_receiver ON expenses (receiver_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX expenses_balance ON expenses (payer_id, receiver_id, approved_amount_currency, approved_amount_minor)
    WHERE deleted_at IS NULL AND liquidate_through_advancement = 1 AND status = 'liquidated'`,
  `CREATE UNIQUE INDEX expenses_external ON expenses (payer_id, external_id) WHERE external_id IS NOT NULL`,
  ...['author_id', 'responsible_user_id', 'corporative_card_id', 'pre_expense_id', 'reimbursement_id'].map(
    (column) => `CREATE INDEX expenses_${column} ON expenses (${column})`,
  ),
  `CREATE VIRTUAL TABLE expense_search USING fts5 (text, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 2", prefix = '2 3 4')`,
  `CREATE TABLE accountabilities (${identity}, activities_count INTEGER NOT NULL DEFAULT 0,
    payer_id INTEGER NOT NULL REFERENCES organizations (id), receiver_id INTEGER NOT NULL REFERENCES users (id),
    author_id INTEGER NOT NULL REFERENCES users (id), title TEXT NOT NULL, description TEXT,
    status TEXT NOT NULL CHECK (status IN ('opened', 'ready_to_review', 'analyzed', 'approved', 'finished'))) STRICT`,
  `CREATE INDEX accountabilities_payer ON accountabilities (payer_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX accountabilities_receiver ON accountabilities (receiver_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX accountabilities_author ON accountabilities (author_id)`,
  `CREATE TABLE accountability_expenses (
    accountability_id INTEGER NOT NULL REFERENCES accountabilities (id),
    expense_id INTEGER NOT NULL REFERENCES expenses (id), PRIMARY KEY (accountability_id, expense_id)) STRICT, WITHOUT ROWID`,
  `CREATE INDEX accountability_expenses_expense ON accountability_expenses (expense_id)`,
  ...(['expense', 'reimbursement', 'advancement'] as const).flatMap((name) => [
    `CREATE TABLE ${name}_tags (
      ${name}_id INTEGER NOT NULL REFERENCES ${name}s (id), tag_id INTEGER NOT NULL REFERENCES tags (id),
      position INTEGER NOT NULL, PRIMARY KEY (${name}_id, tag_id)) STRICT, WITHOUT ROWID`,
    `CREATE INDEX ${name}_tags_tag ON ${name}_tags (tag_id, ${name}_id)`,
  ]),

  // What people say and attach
  `CREATE TABLE comments (${identity}, user_id INTEGER NOT NULL REFERENCES users (id), content TEXT NOT NULL, ${parent}) STRICT`,
  ...['expense_id', 'advancement_id', 'reimbursement_id'].map(
    (column) => `CREATE INDEX comments_${column} ON comments (${column}, created_at, id) WHERE ${column} IS NOT NULL`,
  ),
  `CREATE INDEX comments_user ON comments (user_id)`,
  `CREATE TABLE comment_mentions (
    comment_id INTEGER NOT NULL REFERENCES comments (id), user_id INTEGER NOT NULL REFERENCES users (id),
    PRIMARY KEY (comment_id, user_id)) STRICT, WITHOUT ROWID`,
  `CREATE INDEX comment_mentions_user ON comment_mentions (user_id)`,
  `CREATE TABLE participants (${identity}, user_id INTEGER NOT NULL REFERENCES users (id), ${parent}) STRICT`,
  ...['expense_id', 'advancement_id', 'reimbursement_id'].flatMap((column) => [
    `CREATE UNIQUE INDEX participants_${column} ON participants (${column}, user_id) WHERE ${column} IS NOT NULL AND deleted_at IS NULL`,
    `CREATE INDEX participants_user_${column} ON participants (user_id, ${column}) WHERE ${column} IS NOT NULL AND deleted_at IS NULL`,
  ]),
  `CREATE TABLE uploads (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, user_id INTEGER NOT NULL REFERENCES users (id),
    sha256 TEXT NOT NULL REFERENCES blobs (sha256), file_name TEXT NOT NULL, content_type TEXT NOT NULL,
    bytes INTEGER NOT NULL, created_at TEXT NOT NULL, expires_at TEXT NOT NULL) STRICT`,
  `CREATE INDEX uploads_user ON uploads (user_id)`,
  `CREATE INDEX uploads_blob ON uploads (sha256)`,
  `CREATE TABLE attachments (${identity},
    expense_id INTEGER NOT NULL REFERENCES expenses (id), user_id INTEGER NOT NULL REFERENCES users (id),
    sha256 TEXT NOT NULL REFERENCES blobs (sha256), description TEXT, file_name TEXT NOT NULL,
    content_type TEXT NOT NULL, bytes INTEGER NOT NULL, uploaded_at TEXT NOT NULL) STRICT`,
  `CREATE INDEX attachments_expense ON attachments (expense_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX attachments_user ON attachments (user_id)`,
  `CREATE INDEX attachments_blob ON attachments (sha256)`,

  // The audit trail and what is derived from it
  `CREATE TABLE activities (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE,
    organization_id INTEGER REFERENCES organizations (id), user_id INTEGER NOT NULL REFERENCES users (id),
    subject_type TEXT NOT NULL, subject_id INTEGER NOT NULL, source_type TEXT, source_id INTEGER,
    event TEXT NOT NULL, details TEXT NOT NULL, origin TEXT NOT NULL, request_id TEXT,
    occurred_at TEXT NOT NULL, created_at TEXT NOT NULL) STRICT`,
  `CREATE INDEX activities_subject ON activities (subject_type, subject_id, id)`,
  `CREATE INDEX activities_organization ON activities (organization_id, id)`,
  `CREATE INDEX activities_user ON activities (user_id, id)`,
  `CREATE TRIGGER activities_append_only_update BEFORE UPDATE ON activities
    BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END`,
  `CREATE TRIGGER activities_append_only_delete BEFORE DELETE ON activities
    BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END`,
  `CREATE TABLE change_log (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, nonce TEXT NOT NULL, organization_id INTEGER, user_id INTEGER,
    table_name TEXT NOT NULL, record_id INTEGER NOT NULL, record_uid TEXT NOT NULL, version INTEGER NOT NULL,
    operation TEXT NOT NULL CHECK (operation IN ('insert', 'update', 'delete')), changed TEXT NOT NULL,
    actor_user_id INTEGER, op_id TEXT, created_at TEXT NOT NULL) STRICT`,
  `CREATE INDEX change_log_organization ON change_log (organization_id, seq)`,
  `CREATE INDEX change_log_user ON change_log (user_id, seq)`,
  `CREATE INDEX change_log_record ON change_log (table_name, record_id, seq)`,
  `CREATE TABLE idempotency_keys (
    user_id INTEGER NOT NULL REFERENCES users (id), key TEXT NOT NULL, request_hash TEXT NOT NULL,
    status INTEGER NOT NULL, headers TEXT NOT NULL, body TEXT NOT NULL, created_at TEXT NOT NULL,
    PRIMARY KEY (user_id, key)) STRICT, WITHOUT ROWID`,
  `CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)`,

  // What leaves the server
  `CREATE TABLE webhooks (${identity},
    organization_id INTEGER NOT NULL REFERENCES organizations (id), url TEXT NOT NULL, description TEXT,
    secret TEXT NOT NULL) STRICT`,
  `CREATE INDEX webhooks_organization ON webhooks (organization_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE TABLE webhook_deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, webhook_id INTEGER NOT NULL REFERENCES webhooks (id),
    event TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'dropped')),
    attempts INTEGER NOT NULL DEFAULT 0, next_attempt_at TEXT, last_status INTEGER, last_error TEXT,
    redelivery_of INTEGER REFERENCES webhook_deliveries (id), created_at TEXT NOT NULL, finished_at TEXT) STRICT`,
  `CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (webhook_id, id) WHERE state = 'waiting'`,
  `CREATE INDEX webhook_deliveries_log ON webhook_deliveries (webhook_id, id)`,
  `CREATE INDEX webhook_deliveries_redelivery ON webhook_deliveries (redelivery_of)`,
  `CREATE TABLE notification_preferences (
    user_id INTEGER NOT NULL REFERENCES users (id), event TEXT NOT NULL, email INTEGER NOT NULL, mobile INTEGER NOT NULL,
    PRIMARY KEY (user_id, event)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE notifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, user_id INTEGER NOT NULL REFERENCES users (id),
    activity_id INTEGER REFERENCES activities (id), event TEXT NOT NULL,
    channel TEXT NOT NULL CHECK (channel IN ('email', 'mobile')), device_id INTEGER REFERENCES devices (id),
    state TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'failed')), attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at TEXT, last_error TEXT, created_at TEXT NOT NULL, sent_at TEXT) STRICT`,
  `CREATE INDEX notifications_queue ON notifications (state, next_attempt_at)`,
  `CREATE INDEX notifications_user ON notifications (user_id, id)`,
  `CREATE INDEX notifications_activity ON notifications (activity_id)`,
  `CREATE INDEX notifications_device ON notifications (device_id)`,

  // Sync
  `CREATE TABLE id_leases (
    id INTEGER PRIMARY KEY AUTOINCREMENT, device_id INTEGER NOT NULL REFERENCES devices (id), table_name TEXT NOT NULL,
    first_id INTEGER NOT NULL, last_id INTEGER NOT NULL, next_id INTEGER NOT NULL, created_at TEXT NOT NULL) STRICT`,
  `CREATE INDEX id_leases_device ON id_leases (device_id, table_name)`,
  `CREATE TABLE id_aliases (
    table_name TEXT NOT NULL, provisional_id INTEGER NOT NULL, record_id INTEGER NOT NULL, created_at TEXT NOT NULL,
    PRIMARY KEY (table_name, provisional_id)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE sync_state (
    key TEXT PRIMARY KEY, value TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE sync_journal (
    id INTEGER PRIMARY KEY AUTOINCREMENT, op_id TEXT NOT NULL UNIQUE, user_id INTEGER NOT NULL REFERENCES users (id),
    api_version TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, body TEXT NOT NULL, base TEXT NOT NULL,
    depends_on TEXT NOT NULL, group_id TEXT, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    last_answer TEXT, created_at TEXT NOT NULL, sent_at TEXT, settled_at TEXT) STRICT`,
  `CREATE INDEX sync_journal_state ON sync_journal (state, id)`,
  `CREATE INDEX sync_journal_user ON sync_journal (user_id)`,
  `CREATE TABLE sync_operations (
    op_id TEXT PRIMARY KEY, device_id INTEGER NOT NULL REFERENCES devices (id), body_hash TEXT NOT NULL,
    result TEXT NOT NULL, created_at TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE INDEX sync_operations_device ON sync_operations (device_id)`,
]

/** The data model of the whole contract, section 2, and of everything that supports it. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
