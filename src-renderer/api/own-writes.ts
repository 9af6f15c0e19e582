import type { RecordChange } from '#shared/contract/instance/feed'
import { onReset } from './page/page-state'
/** The newest version of each record, by `uid`, that a write of this page returned. */
const versions = new Map<string, number>()
const mostKept = 5000
const running = new Set<symbol>()
/** Pieces of work that send many writes, and are under way. */
const runs = new Set<symbol>()
let waiting: Array<() => void> = []
onReset(() => {
  for (const known of [versions, running, runs]) known.clear()
  goOn()
  shown = Promise.resolve()
})

function goOn(): void {
  const resolve = waiting
  waiting = []
  for (const go of resolve) go()
}

/**
 * Notes that a write was sent; what it returns is called with the parsed response, or with null where there is none. `isLong`: it sends
 * a file, and nobody waits for it.
 */
export function beginWrite({ isLong }: { isLong: boolean }): (response: unknown) => void {
  const write = Symbol('write')
  if (!isLong) running.add(write)
  return (response) => {
    note(response)
    running.delete(write)
    if (running.size === 0) goOn()
  }
}

/** Runs work that sends several writes, as one: what they change is read again once it has ended, and meanwhile every five seconds at most. */
export async function asOneWrite<T>(work: () => Promise<T>): Promise<T> {
  const end = beginWrite({ isLong: false })
  const run = Symbol('run')
  runs.add(run)
  try {
    return await work()
  } finally {
    runs.delete(run)
    end(null)
  }
}

/** Resolves when no write of this page is on its way. */
export function ownWritesDone(): Promise<void> {
  return running.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))
}

/** How long reading waits for writes that are on their way, in milliseconds: what a run changed is summed up by the server that it keeps busy. */
const pauseMs = { write: 1000, run: 5000 }

/** Resolves when no write of this page is on its way, at the latest after {@link pauseMs}: between two writes of a row there may be no pause. */
export async function ownWritesPause(): Promise<void> {
  // The code that wrote comes first: it keeps the response, drops what was deleted, or sends the next write.
  await wait(0)
  await Promise.race([ownWritesDone(), wait(runs.size > 0 ? pauseMs.run : pauseMs.write)])
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

let shown: Promise<unknown> = Promise.resolve()

/** Notes that what a write changed is being read again. */
export function noteReading(reading: Promise<unknown>): void {
  shown = Promise.allSettled([shown, reading])
}

/** Resolves when what the writes of this page changed has been read again, wherever it is shown. */
export async function ownWritesShown(): Promise<void> {
  await shown
}

/** Whether a write of this page returned this version of a record, or a newer one: nothing has to be read again. What an exchange wrote may be another record of that version. */
export function isOwnNews({ uid, version, is_pulled }: Pick<RecordChange, 'uid' | 'version' | 'is_pulled'>): boolean {
  return version !== null && !is_pulled && (versions.get(uid) ?? -1) >= version
}

function note(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if ('uid' in value && 'version' in value && typeof value.uid === 'string' && typeof value.version === 'number') {
    const newest = Math.max(versions.get(value.uid) ?? 0, value.version)
    versions.delete(value.uid)
    versions.set(value.uid, newest)
    for (const oldest of versions.keys()) {
      if (versions.size <= mostKept) break
      versions.delete(oldest)
    }
  }
  for (const part of Object.values(value)) note(part)
}
