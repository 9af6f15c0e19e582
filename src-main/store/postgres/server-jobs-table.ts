/**
 * The table of the jobs that any server on a PostgreSQL database may do, such as exports; no migration of records knows it. `record` is what the use case
 * knows of the job, as JSON; `waits`: work is wanted; `holder` does it until `until`, by the database's clock, and longer if it renews; `place` names its files.
 */
export const serverJobsTable = `CREATE TABLE IF NOT EXISTS server_jobs (kind text NOT NULL, id text NOT NULL, record text NOT NULL, waits boolean NOT NULL,
  holder text, until timestamptz, takes integer NOT NULL DEFAULT 0, done integer NOT NULL DEFAULT 0, total integer, place text,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (kind, id))`
