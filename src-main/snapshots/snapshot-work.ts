import { closeSync, fsyncSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { findUnmatchedRows, listUnmatchedRows, registerRowSum } from '#main/store/core/row-sums'

// What threads do with a database file.

/** Which database is copied, and where to. */
export interface CopyTask {
  readonly from: string
  readonly to: string
}

/** Which database is verified, and how long it rests between two steps. */
export interface VerifyTask {
  readonly path: string
  readonly pauseMs: number
}

/** One megabyte at a time: the thread can be ended between two of them, and the disk is never held for long. */
const pagesAStep = 256

/**
 * Copies a database at one moment into a new file, while others keep writing, and checks the copy. Returns its problems:
 * none if it may be kept.
 */
export async function copyDatabaseWhole({ from, to }: CopyTask): Promise<string | null> {
  const source = new Database(from, { readonly: true, fileMustExist: true })
  try {
    // A copy whose source holds a moment does not restart with every write by others.
    source.exec('BEGIN')
    source.prepare('SELECT count(*) FROM sqlite_master').get()
    const flush = openWhenThere(to)
    await source.backup(to, {
      progress: () => {
        flush.run()
        return pagesAStep
      },
    })
    flush.end()
  } finally {
    source.close()
  }
  return check(to)
}

/** Hands the copy to the disk as it grows: a whole one at once would make every commit wait behind it. */
function openWhenThere(path: string): { run: () => void; end: () => void } {
  let descriptor: number | undefined
  return {
    run: () => {
      descriptor ??= openSync(path, 'r+')
      fsyncSync(descriptor)
    },
    end: () => descriptor !== undefined && closeSync(descriptor),
  }
}

/** Reads every page of a copy, and makes it one file that needs no other files. */
function check(path: string): string | null {
  const copied = new Database(path, { fileMustExist: true })
  try {
    copied.pragma('journal_mode = DELETE')
    const found = String(copied.pragma('quick_check(3)', { simple: true }))
    registerRowSum(copied)
    return found === 'ok' ? (listUnmatchedRows(copied)[0] ?? null) : found
  } finally {
    copied.close()
  }
}

/** Reads every row of a database that is used, in short steps with pauses, and returns those that do not match their sums. */
export async function verifyRows({ path, pauseMs }: VerifyTask): Promise<string[]> {
  const raw = new Database(path, { readonly: true, fileMustExist: true })
  try {
    registerRowSum(raw)
    const unmatched: string[] = []
    for (const found of findUnmatchedRows(raw)) {
      if (found === undefined) await sleep(pauseMs)
      else unmatched.push(found)
    }
    return unmatched
  } catch (error) {
    if (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return [error.message]
    throw error
  } finally {
    raw.close()
  }
}
