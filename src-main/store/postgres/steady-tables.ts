import type pg from 'pg'
import { steadyTables } from '../core/steady-tables'

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
  for (const table of [...steadyTables].filter((name) => !watched.has(name)))
    await client.query(
      `CREATE TRIGGER steady_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table} EXECUTE FUNCTION raise_steady_version()`,
    )
}
