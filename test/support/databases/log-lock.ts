import { schemaVersion } from '#main/store/postgres/migrate'

/** Takes the lock out that orders transactions: a view has no row to lock. */
export const withoutLock = [
  'ALTER TABLE log_head RENAME TO log_head_table',
  'CREATE OR REPLACE FUNCTION raise_steady_version() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
  // Nothing is kept that others may have changed.
  `CREATE VIEW log_head AS SELECT 1 AS id, ${schemaVersion} AS schema_version, (random() * 1e9)::int AS steady_version`,
]

/** Has commits dawdle, so that those that overlap have the time to. */
export const dawdling = [
  `CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(random() * 0.03); RETURN NULL; END $$`,
  'CREATE TRIGGER dawdle AFTER INSERT ON change_log FOR EACH STATEMENT EXECUTE FUNCTION dawdle()',
]
