import { z } from 'zod'
import type { SharedNotes } from '../core/engine'
import type { RunQuery } from './connection'

/**
 * Creates the table of shared counters, which the records' migrations do not know. It is unlogged, so that counting does not wait for the disk; a
 * crash of the database empties it.
 */
export const notesTable =
  'CREATE UNLOGGED TABLE IF NOT EXISTS server_notes (key text PRIMARY KEY, count integer NOT NULL, until timestamptz NOT NULL)'

const add = `INSERT INTO server_notes AS old VALUES ($1, 1, clock_timestamp() + $2 * interval '1 millisecond')
  ON CONFLICT (key) DO UPDATE SET count = CASE WHEN old.until > clock_timestamp() THEN old.count + 1 ELSE 1 END,
    until = CASE WHEN old.until > clock_timestamp() THEN old.until ELSE excluded.until END
  RETURNING count, (extract(epoch FROM until - clock_timestamp()) * 1000)::int AS left_ms`
const find = 'SELECT count FROM server_notes WHERE key = $1 AND until > clock_timestamp()'
const remove = 'DELETE FROM server_notes WHERE key = $1 RETURNING until > clock_timestamp() AS valid'

const row = z.object({ count: z.int().optional(), left_ms: z.int().optional(), valid: z.boolean().optional() })

/** The counters that the servers on a database share. Each write is a separate transaction, so counting never waits for writes of records. */
export function createNotes(run: RunQuery): SharedNotes {
  const query = async (text: string, values: readonly unknown[] = []) => {
    const { rows } = await run((client) => client.query({ text, values: [...values] }))
    return z.array(row).parse(rows)[0] ?? {}
  }
  return {
    count: async (key, windowMs) => {
      const { count = 1, left_ms: leftMs = windowMs } = await query(add, [key, windowMs])
      return { count, leftMs }
    },
    find: async (key) => (await query(find, [key])).count ?? 0,
    take: async (key) => (await query(remove, [key])).valid === true,
    sweep: async () => void (await query('DELETE FROM server_notes WHERE until < clock_timestamp()')),
  }
}
