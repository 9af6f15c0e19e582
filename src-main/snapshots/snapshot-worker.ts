import { closeSync, fsyncSync, openSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { salvageRows, salvageTask } from '#main/snapshots/salvage'

// The entry of the worker thread. Node runs it from its source in tests, where only whole aliases and packages resolve.

const threadWork = z.discriminatedUnion('name', [
  z.object({ name: z.literal('copy'), from: z.string(), to: z.string() }),
  z.object({ name: z.literal('salvage'), task: salvageTask }),
])
/** What the thread can be asked for. */
export type ThreadWork = z.infer<typeof threadWork>

/** One megabyte at a time: the thread can be ended between two of them, and the disk is never held for long. */
const pagesAStep = 256

/**
 * Copies a database as it is at one moment into a new file, while others go on writing, and checks the copy. Answers what is wrong
 * with it: nothing, where it may be kept.
 */
async function copy({ from, to }: { from: string; to: string }): Promise<string | null> {
  const source = new Database(from, { readonly: true, fileMustExist: true })
  try {
    // A copy whose source holds a moment is not begun anew with every write of others.
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

/** Reads every page of a copy, and makes it one file that needs no others beside it. */
function check(path: string): string | null {
  const copied = new Database(path, { fileMustExist: true })
  try {
    copied.pragma('journal_mode = DELETE')
    const found = String(copied.pragma('quick_check(3)', { simple: true }))
    return found === 'ok' ? null : found
  } finally {
    copied.close()
  }
}

const work = threadWork.parse(workerData)
parentPort?.postMessage(work.name === 'copy' ? await copy(work) : salvageRows(work.task))
