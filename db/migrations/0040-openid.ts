import { type Kysely, sql } from 'kysely'

const statements = [
  // `identity_hash`: of the issuer and its name for the person. It stays when the person is erased: they do not come in again as someone new.
  `CREATE TABLE openid_links (
    id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL REFERENCES users (id), issuer TEXT NOT NULL,
    identity_hash TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL, last_used_at TEXT) STRICT`,
  `CREATE UNIQUE INDEX openid_links_user ON openid_links (user_id, issuer)`,
  // The role that a person's groups gave them in an organization at their last sign-in; null: the groups took it back.
  `CREATE TABLE openid_grants (
    user_id INTEGER NOT NULL REFERENCES users (id), organization_id INTEGER NOT NULL REFERENCES organizations (id), role TEXT,
    PRIMARY KEY (user_id, organization_id)) STRICT, WITHOUT ROWID`,
  `CREATE INDEX openid_grants_organization ON openid_grants (organization_id)`,
]

/** Who signs in at an OpenID provider, and the roles that their groups there gave them. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
