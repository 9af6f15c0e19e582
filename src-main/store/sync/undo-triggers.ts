import type BetterSqlite3 from 'better-sqlite3'
import type { Schema } from '#db/schema'
import { records } from '#shared/records/index'

/** The tables that a replica shares with its remote; parents before children. */
export const sharedTables = [
  ...records.flatMap(({ table, link }) => (link ? [table, link.table] : [table])),
  'activities' as const,
] satisfies ReadonlyArray<keyof Schema>

interface Column {
  readonly name: string
  readonly pk: number
}

/**
 * Triggers of one connection that write an undo statement for every row changed while an operation is captured (the pattern of SQLite's "automatic
 * undo"). They see every write, so none is missed.
 */
export function undoTriggers(raw: BetterSqlite3.Database): string {
  const current = '(SELECT operation FROM temp.captured)'
  const parts = [
    `CREATE TEMP TABLE captured (operation INTEGER)`,
    `INSERT INTO temp.captured VALUES (NULL)`,
    ...sharedTables.flatMap((table) => triggersOf(table, raw.prepare<[], Column>(`PRAGMA table_info(${table})`).all(), current)),
  ]
  return parts.join(';\n')
}

function triggersOf(table: string, columns: readonly Column[], current: string): string[] {
  const keys = columns.filter(({ pk }) => pk > 0)
  const isRecord = columns.some(({ name }) => name === 'version')
  const keyOf = (row: 'OLD' | 'NEW') => keys.map(({ name }) => `${row}.${name}`).join(` || ',' || `)
  const where = (row: 'OLD' | 'NEW') => keys.map(({ name }) => `'${name} = ' || quote(${row}.${name})`).join(` || ' AND ' || `)
  const identity = (row: 'OLD' | 'NEW') => (isRecord ? `${row}.uid` : 'NULL')
  const note = (row: 'OLD' | 'NEW', version: string, statement: string) =>
    `INSERT INTO sync_undo (operation, table_name, record_key, record_uid, version_before, statement)
     VALUES (${current}, '${table}', ${keyOf(row)}, ${identity(row)}, ${version}, ${statement})`
  const values = columns.map(({ name }) => `quote(OLD.${name})`).join(` || ', ' || `)
  const sets = columns
    .filter(({ pk }) => pk === 0)
    .map(({ name }) => `'${name} = ' || quote(OLD.${name})`)
    .join(` || ', ' || `)
  const names = columns.map(({ name }) => name).join(', ')
  const before = isRecord ? 'OLD.version' : 'NULL'
  const trigger = (verb: string, body: string, when = '') =>
    `CREATE TEMP TRIGGER undo_${table}_${verb.toLowerCase()} AFTER ${verb} ON main.${table}
     WHEN ${current} IS NOT NULL ${when} BEGIN ${body}; END`
  // Undoing an operation's first write of a row also undoes its later ones.
  const isFirst = `AND NOT EXISTS (SELECT 1 FROM sync_undo
    WHERE table_name = '${table}' AND record_key = ${keyOf('OLD')} AND operation = ${current})`
  return [
    trigger('INSERT', note('NEW', 'NULL', `'DELETE FROM ${table} WHERE ' || ${where('NEW')}`)),
    ...(sets === ''
      ? []
      : [trigger('UPDATE', note('OLD', before, `'UPDATE ${table} SET ' || ${sets} || ' WHERE ' || ${where('OLD')}`), isFirst)]),
    trigger('DELETE', note('OLD', before, `'INSERT INTO ${table} (${names}) VALUES (' || ${values} || ')'`)),
  ]
}
