import type pg from 'pg'
import type { Schema } from '#db/schema'

/** Tables that every request reads and that rarely change. A write to one raises `log_head.steady_version`. */
const steady: ReadonlySet<string> = new Set<keyof Schema>([
  ...(['api_tokens', 'approval_rules', 'closings', 'memberships', 'notification_preferences', 'organizations'] as const),
  ...(['policies', 'stand_ins', 'sync_state', 'tags', 'user_emails', 'users', 'webhooks'] as const),
])

const raise = `CREATE FUNCTION raise_steady_version() RETURNS trigger LANGUAGE plpgsql AS
  $body$ BEGIN UPDATE log_head SET steady_version = steady_version + 1 WHERE id = 1; RETURN NULL; END $body$`

/** Adds missing triggers that raise the version of the steady tables, so that changes made by hand count too. */
export async function watchSteadyTables(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const ask = async (text: string) => (await client.query<{ name: string }>(text)).rows.map(({ name }) => name)
  const columns = await ask(`SELECT attname AS name FROM pg_attribute WHERE attrelid = 'log_head'::regclass AND attname = 'steady_version'`)
  if (columns.length === 0) {
    await client.query('ALTER TABLE log_head ADD COLUMN steady_version bigint NOT NULL DEFAULT 0')
    await client.query(raise)
  }
  const watched = new Set(await ask(`SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'steady_version'`))
  for (const table of [...steady].filter((name) => !watched.has(name)))
    await client.query(
      `CREATE TRIGGER steady_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table} EXECUTE FUNCTION raise_steady_version()`,
    )
}

/** Whether a text may write to a steady table. */
export function mayWriteSteady(text: string): boolean {
  if (/^(select|savepoint|release|rollback)\b/i.test(text)) return false
  const [, table] = /^(?:insert into|update|delete from) "?(\w+)/i.exec(text) ?? []
  return table === undefined || steady.has(table)
}

/** Whether a query reads only steady tables. */
export function readsSteady(text: string): boolean {
  const names = [...text.matchAll(/\b(?:from|join) "?(\w*)"?(?: as "\w+")?(,?)/gi)]
  return names.every(([, name = '', comma]) => steady.has(name) && comma === '')
}
