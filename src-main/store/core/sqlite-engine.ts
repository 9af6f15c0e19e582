import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { Clock } from '#main/clock'
import { isDiskFull } from '#shared/domain/out-of-room'
import { Connection } from './connection'
import { type Connections, type OpenOptions, closeDatabase, openDatabase } from './database'
import type { Engine, FileDatabase } from './engine'
import { integrityProblems } from './integrity'
import { createReadProcess } from './read-process'
import { CommittedReader, MomentReader, type Reader, toRevision } from './reader'
import type { QueueWriter } from './write-queue'

const writeWaitMs = 15_000

/** How the database of a folder is opened. */
export interface SqliteOptions extends OpenOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Whether separate processes run large reads, so that this process stays responsive. */
  readonly readsApart?: boolean
}

/** Opens the SQLite database of a folder. Throws {@link DatabaseError}. */
export async function openSqlite(dataFolder: string, options: SqliteOptions): Promise<Engine> {
  const connections = await openDatabase(dataFolder, options)
  const { writer, reader } = connections
  const process = options.readsApart ? createReadProcess(reader.raw.name) : undefined
  let commits = 0
  return {
    reader: new CommittedReader(reader, { commits: () => commits, process }),
    writer,
    turns: turnsOf(connections, options.clock),
    file: fileOf(connections),
    peers: undefined,
    begun: () => writer.capture(null),
    asRequest: (work) => {
      // Reads held since the last I/O are older than this request.
      reader.release()
      return work()
    },
    committed: () => {
      commits += 1
      reader.release()
    },
    snapshot: (read) => readAtOneMoment(reader.raw.name, read),
    revision: () => toRevision({ commits, version: reader.dataVersion() }),
    close: async () => {
      await process?.end()
      await closeDatabase(connections, options)
    },
  }
}

/** Runs reads in one transaction of a separate connection. */
async function readAtOneMoment<T>(path: string, read: (reader: Reader) => Promise<T>): Promise<T> {
  const raw = new Database(path, { readonly: true, fileMustExist: true })
  try {
    raw.pragma('trusted_schema = OFF')
    raw.pragma('cell_size_check = ON')
    raw.pragma('mmap_size = 268435456')
    raw.pragma('temp_store = MEMORY')
    raw.exec('BEGIN')
    // The first read fixes the moment.
    raw.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get()
    return await read(new MomentReader(new Connection(raw)))
  } finally {
    raw.close()
  }
}

/** How long work may join a commit: the thread cannot read meanwhile. */
const joinMs = 8

function turnsOf({ writer, reader, prove }: Connections, clock: SqliteOptions['clock']): QueueWriter {
  return {
    joinMs,
    begin: async () => {
      // Another process may be writing: wait for it without blocking the thread.
      const start = clock.monotonicMs()
      for (;;) {
        try {
          prove()
          writer.begin()
          return
        } catch (error) {
          const busy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
          if (!busy || clock.monotonicMs() - start > writeWaitMs) throw error
          await sleep(5)
        }
      }
    },
    isOpen: () => writer.isOpen,
    run: (text) => {
      // While a reader uses the log, SQLite cannot restart it, and every commit copies the whole log.
      if (text === 'COMMIT') reader.release()
      writer.prepare(text).run()
    },
  }
}

function fileOf({ writer, reader, prove }: Connections): FileDatabase {
  return {
    capture: (operation) => writer.capture(operation),
    exec: (texts) => writer.exec(texts),
    hasRoom: () => {
      try {
        prove()
        return true
      } catch (error) {
        if (isDiskFull(error)) return false
        throw error
      }
    },
    problems: (options) => integrityProblems(reader.raw, options),
    // All pages in one step: a write by another process between steps would restart the copy.
    copyTo: async (path) => void (await reader.raw.backup(path, { progress: ({ totalPages }) => totalPages + 1_000 })),
    explain: (text, parameters) => {
      const plan = reader.raw.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
      return plan.all(...parameters).map((step) => step.detail)
    },
  }
}
