import Database from 'better-sqlite3'
import { refuseNewer } from './migrate'
import { listUnmatchedRows, registerRowSum } from './row-sums'

/**
 * What SQLite reports about every page of a database, its references, and rows that do not match their sums, as sentences; empty if the database is
 * sound. The table `readByKey` is not compared with its indexes, which takes minutes for a million rows.
 */
export function integrityProblems(raw: Database.Database, { readByKey }: { readonly readByKey?: string } = {}): string[] {
  const integrity = readByKey === undefined ? check(raw, 'integrity_check(20)') : checkWithoutIndexesOf(raw, readByKey)
  const dangling = raw.prepare('PRAGMA foreign_key_check').pluck().all()
  return [
    ...integrity.map(toSentence),
    ...dangling.map((table) => `A row of ${String(table)} refers to one that is not there.`),
    ...unmatchedRows(raw),
  ]
}

/** The findings of one of SQLite's checks. */
function check(raw: Database.Database, pragma: string): unknown[] {
  const lines = raw.prepare(`PRAGMA ${pragma}`).pluck().all()
  return lines.filter((line) => line !== 'ok')
}

/** Checks all pages, and all tables except this one against their indexes. */
function checkWithoutIndexesOf(raw: Database.Database, table: string): unknown[] {
  const others = raw
    .prepare<[string], string>("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name <> ?")
    .pluck()
    .all(table)
  return [...check(raw, 'quick_check(20)'), ...others.flatMap((name) => check(raw, `integrity_check('${name}')`))]
}

/** A line of SQLite's check, without the heading of the first line. */
function toSentence(line: unknown): string {
  return `${String(line).replace(/^\*{3} in database \w+ \*{3}\s*/, '')}.`
}

/** All rows that do not match their sums, read at one moment. */
function unmatchedRows(raw: Database.Database): string[] {
  const isOpen = raw.inTransaction
  if (!isOpen) raw.exec('BEGIN')
  try {
    return listUnmatchedRows(raw)
  } finally {
    if (!isOpen) raw.exec('COMMIT')
  }
}

/** The problems of a database in a separate file, such as a snapshot; empty if it can be used. Only reads the file. */
export function problemsOfFile(path: string): string[] {
  try {
    const raw = new Database(path, { readonly: true, fileMustExist: true })
    try {
      refuseNewer(raw)
      registerRowSum(raw)
      return integrityProblems(raw)
    } finally {
      raw.close()
    }
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

/** Copies a database file together with its log. Throws SQLite's error if the file cannot be read. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const raw = new Database(from, { readonly: true, fileMustExist: true })
  try {
    await raw.backup(to)
  } finally {
    raw.close()
  }
}
