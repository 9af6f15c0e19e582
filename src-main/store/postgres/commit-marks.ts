import type { Client } from './connection'

/**
 * The table in which each writing process marks its newest transaction, as part of that transaction; the records' migrations do not know it. A
 * transaction number would not do: if PostgreSQL crashes before a commit is on disk, it assigns the same number again.
 */
export const commitMarksTable =
  'CREATE TABLE IF NOT EXISTS commit_marks (writer text PRIMARY KEY, mark bigint NOT NULL, made_at timestamptz NOT NULL DEFAULT now())'

const put = `INSERT INTO commit_marks (writer, mark) VALUES ($1, $2)
  ON CONFLICT (writer) DO UPDATE SET mark = excluded.mark, made_at = excluded.made_at`
const find = 'SELECT 1 FROM commit_marks WHERE writer = $1 AND mark = $2'
const sweep = `DELETE FROM commit_marks WHERE made_at < now() - interval '7 days'`

/** Removes the marks of processes that ended long ago. */
export async function sweepCommitMarks(client: Client): Promise<void> {
  await client.query(sweep)
}

/** The marks of one process, which runs one transaction at a time. */
export class CommitMarks {
  readonly #writer: string
  #mark = 0
  /** `writer`: a name that no other process has. */
  constructor(writer: string) {
    this.#writer = writer
  }

  /** Marks the open transaction of a client, just before its commit. */
  async put(client: Client): Promise<void> {
    this.#mark += 1
    await client.query({ name: 'put mark', text: put, values: [this.#writer, this.#mark] })
  }
  /** Whether the last marked transaction is stored. */
  async isStored(client: Client): Promise<boolean> {
    return (await client.query({ text: find, values: [this.#writer, this.#mark] })).rows.length > 0
  }
}
