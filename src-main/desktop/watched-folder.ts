import { type FSWatcher, watch } from 'node:fs'
import { mkdir, readdir, rename, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'

/** A file in the watched folder that has stopped growing. */
export interface WatchedFile {
  readonly path: string
  readonly file_name: string
  readonly bytes: number
  /** When it was last written. */
  readonly written_at: Date
}

/** The result for a file: it is stored and may be moved, or it was rejected and stays in place until it is written again. */
export type HandedIn = { readonly kind: 'stored' } | { readonly kind: 'refused'; readonly message: string }

/** Reports of a watched folder. `problem`: it cannot be read or written; `null`: it can again. */
export interface FolderTold {
  readonly onStored: (file: WatchedFile) => void
  readonly onRefused: (file: WatchedFile, message: string) => void
  readonly onProblem: (problem: 'missing' | 'unreadable' | 'not_movable' | null) => void
}

/** How to watch a folder. */
export interface FolderOptions extends FolderTold {
  readonly folder: string
  /**
   * Stores a file durably. It is called again if the program ended between storing and moving a file: the implementation recognises the content by
   * its hash and returns `stored`. If it throws, the next look retries.
   */
  readonly handIn: (file: WatchedFile) => Promise<HandedIn>
  /** How often to read the folder, in addition to the system's events; a file must be unchanged between two looks. */
  readonly lookMs?: number
}

/** The subfolder into which stored files are moved; nothing is ever deleted. */
export const capturedFolder = 'Outlay captured'

/** Names of files that programs are still writing, or that no person put there. */
const passing = /^[.~]|\.(part|partial|crdownload|download|tmp|temp|swp)$|~$/i

/** How long to collect the system's events before reading the folder. */
const burstMs = 250

/** A file at the last look. A rejected one is handed in again only after it is written again, a stored one never. */
interface Seen {
  readonly bytes: number
  readonly mtimeMs: number
  readonly outcome: 'none' | 'stored' | 'refused'
}

/** Watches a folder until closed: hands in its files, and then moves them. */
export function watchFolder(options: FolderOptions): { close(): Promise<void> } {
  const { folder, lookMs = 2000, onProblem } = options
  const seen = new Map<string, Seen>()
  let watcher: FSWatcher | undefined
  let problem: Parameters<FolderTold['onProblem']>[0] = null
  const tell = (found: typeof problem): void => {
    if (found !== problem) onProblem(found)
    problem = found
  }
  const unlisten = (): void => {
    watcher?.close()
    watcher = undefined
  }
  const looks = repeat(lookMs, async (isClosed) => {
    try {
      const isMoved = await lookInto(options, seen, isClosed)
      // Some file systems send no events: regular looks find everything, only later.
      watcher ??= watch(folder, () => looks.soon()).once('error', unlisten)
      tell(isMoved ? null : 'not_movable')
    } catch (error) {
      unlisten()
      tell(isAbsence(error) ? 'missing' : 'unreadable')
    }
  })
  return {
    close: async () => {
      await looks.close()
      unlisten()
    },
  }
}

/** Runs `look` now, at each interval, or soon on request, never two at once. */
function repeat(everyMs: number, look: (isClosed: () => boolean) => Promise<void>): { soon(): void; close(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let isSoon = false
  let isClosed = false
  let looking = Promise.resolve()
  const schedule = (afterMs: number): void => {
    clearTimeout(timer)
    if (isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      isSoon = false
      looking = look(() => isClosed).finally(() => schedule(everyMs))
    }, afterMs)
  }
  schedule(0)
  return {
    soon: () => {
      // Nothing is scheduled during a look: the next look finds later changes.
      if (isSoon || timer === undefined) return
      isSoon = true
      schedule(Math.min(everyMs, burstMs))
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await looking
    },
  }
}

/**
 * Hands in the files that have not changed since the last look; returns whether all stored files could be moved. @throws if the folder cannot be read
 */
async function lookInto(options: FolderOptions, seen: Map<string, Seen>, isClosed: () => boolean): Promise<boolean> {
  const entries = await readdir(options.folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && !passing.test(entry.name)).map(({ name }) => name)
  for (const name of seen.keys()) if (!names.includes(name)) seen.delete(name)
  let isMoved = true
  for (const name of names.sort()) {
    if (isClosed()) return isMoved
    const path = join(options.folder, name)
    const now = await stat(path).catch(() => undefined)
    if (now === undefined || now.size === 0) continue
    const { size: bytes, mtimeMs, mtime: written_at } = now
    const before = seen.get(name)
    const isSame = before?.bytes === bytes && before.mtimeMs === mtimeMs
    const current: Seen = isSame ? before : { bytes, mtimeMs, outcome: 'none' }
    seen.set(name, current)
    if (!isSame || current.outcome === 'refused') continue
    const file = { path, file_name: name, bytes, written_at }
    const outcome = current.outcome === 'stored' ? 'stored' : await store(options, file)
    seen.set(name, { ...current, outcome })
    if (outcome !== 'stored') continue
    const moved = await moveAside(options.folder, file, mtimeMs)
    if (moved === 'moved') options.onStored(file)
    isMoved &&= moved !== 'failed'
  }
  return isMoved
}

async function store({ handIn, onRefused }: FolderOptions, file: WatchedFile): Promise<Seen['outcome']> {
  try {
    const handedIn = await handIn(file)
    if (handedIn.kind === 'refused') onRefused(file, handedIn.message)
    return handedIn.kind
  } catch {
    // Another program may hold it, or the disk may be full: the next look retries.
    return 'none'
  }
}

/** Moves a file under an unused name. A file that was written meanwhile stays, as its new content is not stored. */
async function moveAside(folder: string, { path, file_name, bytes }: WatchedFile, mtimeMs: number): Promise<'moved' | 'stays' | 'failed'> {
  try {
    const now = await stat(path)
    if (now.size !== bytes || now.mtimeMs !== mtimeMs) return 'stays'
    const aside = join(folder, capturedFolder)
    await mkdir(aside, { recursive: true })
    await rename(path, join(aside, await freeName(aside, file_name)))
    return 'moved'
  } catch {
    return 'failed'
  }
}

async function freeName(folder: string, file_name: string): Promise<string> {
  const extension = extname(file_name)
  const stem = basename(file_name, extension)
  const taken = new Set((await readdir(folder)).map((name) => name.toLowerCase()))
  let name = file_name
  for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${stem} (${count})${extension}`
  return name
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
