import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { readSettings } from '#main/config/settings'
import { types } from '#main/store/postgres/connection'
import { toPostgres } from '#main/store/postgres/ddl'
import type { Instance, Json } from '../instance'

/** An instance's database without the program: what is stored, and what makes it fail. */
export interface Raw {
  all(text: string): Promise<Json[]>
  exec(text: string): Promise<void>
  close(): Promise<void>
}

/** Opens the database of an instance, by its data folder, whichever it is on. Texts are SQLite's. `readonly`: what a kill left of a file stays so. */
export async function openRaw({ folder }: Pick<Instance, 'folder'>, { readonly = false } = {}): Promise<Raw> {
  const { OUTLAY_DATABASE_URL: url } = readSettings(folder, {})
  if (url === undefined) {
    const raw = new Database(join(folder, 'outlay.db'), { readonly })
    return {
      all: (text) => Promise.resolve(raw.prepare(text).all()),
      exec: (text) => Promise.resolve(void raw.exec(text)),
      close: () => Promise.resolve(void raw.close()),
    }
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    all: async (text) => (await client.query({ text, types })).rows,
    exec: async (text) => {
      for (const statement of toPostgres(text)) await client.query(statement)
    },
    close: () => client.end(),
  }
}
