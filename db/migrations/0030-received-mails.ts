import { type Kysely, sql } from 'kysely'

const statements = [
  // Each message of the mailbox, by its place there and by what it is: a mailbox that is built again numbers the same messages again. Who sent it and about
  // what is kept only of those that went to nobody, for a while. An instance that becomes a replica has other users.
  `CREATE TABLE received_mails (
    id INTEGER PRIMARY KEY AUTOINCREMENT, mailbox TEXT NOT NULL, uid_validity TEXT NOT NULL, uid INTEGER NOT NULL,
    sha256 TEXT, user_id INTEGER, capture_id INTEGER, reason TEXT, sender TEXT, subject TEXT,
    received_at TEXT NOT NULL, UNIQUE (mailbox, uid_validity, uid)) STRICT`,
  `CREATE UNIQUE INDEX received_mails_once ON received_mails (mailbox, sha256) WHERE sha256 IS NOT NULL`,
  `CREATE INDEX received_mails_nobody ON received_mails (id) WHERE reason IS NOT NULL`,
]

/** Messages that came to the mailbox of receipts. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
