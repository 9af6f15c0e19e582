import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'

/** Where the database and the uploaded files lie, and from when on a file may still be on its way to its row. */
export interface CompareOptions {
  readonly sound: string
  /** Null where they are in a bucket, which loses none of them with the disk: nothing is compared then. */
  readonly blobs: string | null
  readonly before: Date
}

/** Uploaded files by their hashes: those that the database names and that are not there, and those that it does not name. */
export interface ComparedFiles {
  readonly files_missing: readonly string[]
  readonly files_unnamed: readonly string[]
}

/** A replica fetches some files only when they are asked for: those are not missed. */
const namedFiles = `SELECT sha256,
  EXISTS (SELECT 1 FROM sync_blobs WHERE sync_blobs.sha256 = blobs.sha256 AND direction = 'down') AS is_elsewhere FROM blobs`

/** Compares the files that a sound database names with those that are there. */
export function compareFiles({ sound, blobs, before }: CompareOptions): ComparedFiles {
  if (blobs === null) return { files_missing: [], files_unnamed: [] }
  const raw = new Database(sound, { readonly: true })
  try {
    const rows = raw.prepare<[], { sha256: string; is_elsewhere: number }>(namedFiles).all()
    const named = new Set(rows.map(({ sha256 }) => sha256))
    const there = new Map(pathsIn(blobs).map((path) => [basename(path), path]))
    return {
      files_missing: rows.filter((row) => row.is_elsewhere === 0 && !there.has(row.sha256)).map(({ sha256 }) => sha256),
      files_unnamed: [...there.entries()]
        .filter(([sha256, path]) => !named.has(sha256) && statSync(path).mtime < before)
        .map(([sha256]) => sha256),
    }
  } finally {
    raw.close()
  }
}

function pathsIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return entries.filter((name) => /^[0-9a-f]{64}$/.test(basename(name))).map((name) => join(folder, name))
}
