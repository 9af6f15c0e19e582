import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from '#db/index'
import { registerRowSum, sumAllRows } from '#main/store/core/row-sums'

const now = '2026-01-01T00:00:00Z'
const uidOf = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

/** Since this schema every row is in a sum. */
const firstWithSums = 7

/** How many schemas were released. */
export const schemas = Object.keys(migrations).length

/** Makes the database of a data folder as the program left it when its schema had this number: an admin, and expenses. */
export async function makeOldFolder(folder: string, { schema, expenses }: { schema: number; expenses: number }): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const raw = new Database(join(folder, 'outlay.db'))
  raw.pragma('journal_mode = WAL')
  const db = new Kysely({ dialect: new SqliteDialect({ database: raw }) })
  const known = Object.fromEntries(Object.entries(migrations).slice(0, schema))
  const { error } = await new Migrator({ db, provider: { getMigrations: () => Promise.resolve(known) } }).migrateToLatest()
  if (error instanceof Error) throw error
  raw.pragma(`user_version = ${schema}`)
  raw.exec(`BEGIN;
    INSERT INTO instance_settings VALUES ('closed_cleanly', 'yes', '${now}'), ('epoch', 'first', '${now}');
    INSERT INTO users (id, uid, created_at, updated_at, first_name, last_name, mention_name, default_currency, locale, timezone)
      VALUES (1, '${uidOf(1)}', '${now}', '${now}', 'Ada', 'Admin', 'ada', 'BRL', 'en', 'Etc/UTC');
    INSERT INTO user_emails (user_id, email, main, created_at) VALUES (1, 'ada@example.org', 1, '${now}');
    INSERT INTO organizations (id, uid, created_at, updated_at, name) VALUES (1, '${uidOf(2)}', '${now}', '${now}', 'Acme');
    INSERT INTO memberships (uid, created_at, updated_at, organization_id, user_id, role)
      VALUES ('${uidOf(3)}', '${now}', '${now}', 1, 1, 'admin');`)
  const insert = raw.prepare(`INSERT INTO expenses (uid, created_at, updated_at, payer_id, receiver_id, author_id, kind, description,
    amount_minor, amount_scaled, currency, status, occurred_at) VALUES (?, '${now}', '${now}', 1, 1, 1, 'monetary', ?, ?, ?, 'BRL',
    'awaiting_analysis', '2026-01-01T00:00:00-03:00')`)
  for (let id = 1; id <= expenses; id += 1) insert.run(uidOf(100 + id), `Taxi ${id}`, id * 100, id * 10_000)
  if (schema >= firstWithSums) {
    registerRowSum(raw)
    sumAllRows(raw)
  }
  raw.exec('COMMIT')
  raw.close()
}
