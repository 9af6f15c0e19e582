import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A change of one file that is on its way to the disk. */
type Change =
  { readonly kind: 'write'; readonly at: number; readonly data: Buffer } | { readonly kind: 'truncate'; readonly length: number }

/** A file as it lies on the disk for certain, and what may be there of what was written since. */
interface Inode {
  sure: Buffer
  pending: Change[]
}

/** One call of the traced process, in the order in which they ended; what a `sync` holds begins before it. */
export type DiskEvent =
  | { readonly kind: 'change'; readonly path: string; readonly change: Change }
  | { readonly kind: 'sync'; readonly path: string; readonly begun: number }
  | { readonly kind: 'create' | 'unlink'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  /** Bytes that left through a socket. */
  | { readonly kind: 'told'; readonly data: Buffer }

/** The calls that are traced, for `strace -e`. */
export const tracedCalls =
  'pwrite64,pwritev,write,writev,fsync,fdatasync,ftruncate,fallocate,rename,renameat,renameat2,unlink,unlinkat,openat,link,linkat'

const digit = (code: number): number => (code > 57 ? code - 87 : code - 48)
/** Decodes `\\x..`. A loop: to take each `\\x` out of the text first takes five times as long. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length / 4)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (digit(text.charCodeAt(4 * at + 2)) << 4) | digit(text.charCodeAt(4 * at + 3))
  return bytes
}
// With -xx no quote is within one. What is written at once may have megabytes: repeating a group for each byte can run out of stack.
const strings = (text: string): Buffer[] => [...text.matchAll(/"([^"]*)"/g)].map(([, part = '']) => bytesOf(part))

/** Reads what `strace -f -y -xx` wrote: what concerns files below a folder, and what left through sockets. */
export function readTrace(file: string, folder: string): DiskEvent[] {
  const events: DiskEvent[] = []
  const begun = new Map<string, { text: string; at: number }>()
  /** Where each handle that does not say where it writes has got to. */
  const places = new Map<string, number>()
  for (const line of readFileSync(file, 'latin1').split('\n')) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (rest.endsWith('<unfinished ...>')) {
      begun.set(pid, { text: rest.slice(0, -'<unfinished ...>'.length), at: events.length })
      continue
    }
    const [, tail] = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest) ?? []
    const first = begun.get(pid)
    const text = tail === undefined ? rest : `${first?.text ?? ''}${tail}`
    if (/ = -1 |\?$/.test(text.slice(-80))) continue
    const at = tail === undefined ? events.length : (first?.at ?? events.length)
    events.push(...toEvents(text, { folder, places, at }))
  }
  return events
}

interface Reading {
  readonly folder: string
  readonly places: Map<string, number>
  readonly at: number
}

function toEvents(text: string, { folder, places, at }: Reading): DiskEvent[] {
  const [, call = '', args = ''] = /^(\w+)\((.*)$/.exec(text) ?? []
  const [, handle = '', target = ''] = /^(\d+)<((?:[^>]|->)*)>/.exec(args) ?? []
  const path = toPath(target)
  const result = Number(/ = (\d+)/.exec(text.slice(text.lastIndexOf(')')))?.[1] ?? 0)
  if (call === 'openat') return opened(text, { folder, places })
  if (/^(rename|unlink|link)/.test(call)) {
    const [from, to] = strings(args).map((name) => name.toString())
    if (!from?.startsWith(folder)) return []
    if (call.startsWith('unlink')) return [{ kind: 'unlink', path: from }]
    return to === undefined ? [] : [{ kind: 'rename', path: from, to }]
  }
  const isSocket = /^(TCP|socket)/.test(path)
  if (!isSocket && !path.startsWith(folder)) return []
  const data = Buffer.concat(strings(args.slice(args.indexOf('>') + 1))).subarray(0, result)
  if (isSocket) return call.startsWith('write') ? [{ kind: 'told', data }] : []
  if (call === 'fsync' || call === 'fdatasync') return [{ kind: 'sync', path, begun: at }]
  const numbers = args.replaceAll(/"[^"]*"/g, '').split(',')
  if (call === 'ftruncate') return [{ kind: 'change', path, change: { kind: 'truncate', length: Number.parseInt(numbers[1] ?? '0') } }]
  if (call === 'pwrite64' || call === 'pwritev') {
    const place = Number.parseInt(numbers.at(-1) ?? '0')
    return [{ kind: 'change', path, change: { kind: 'write', at: place, data } }]
  }
  if (!call.startsWith('write')) return []
  const place = places.get(handle) ?? 0
  places.set(handle, place + data.length)
  return [{ kind: 'change', path, change: { kind: 'write', at: place, data } }]
}

function opened(text: string, { folder, places }: Pick<Reading, 'folder' | 'places'>): DiskEvent[] {
  const [, handle = '', target = ''] = / = (\d+)<([^>]*)>/.exec(text) ?? []
  const path = toPath(target)
  places.set(handle, 0)
  if (!path.startsWith(folder)) return []
  return [
    ...(text.includes('O_CREAT') ? [{ kind: 'create', path } as const] : []),
    ...(text.includes('O_TRUNC') ? [{ kind: 'change', path, change: { kind: 'truncate', length: 0 } } as const] : []),
  ]
}

const toPath = (text: string): string => (text.startsWith('\\x') ? bytesOf(text).toString() : text)

function applyAll(content: Buffer, changes: readonly Change[]): Buffer {
  const ends = changes.map((change) => (change.kind === 'write' ? change.at + change.data.length : change.length))
  // Once as large as it ever gets: a log grows page by page.
  const room = Buffer.alloc(ends.reduce((most, end) => Math.max(most, end), content.length))
  content.copy(room)
  let { length } = content
  for (const change of changes) {
    if (change.kind === 'write') {
      change.data.copy(room, change.at)
      length = Math.max(length, change.at + change.data.length)
    } else {
      room.fill(0, change.length)
      length = change.length
    }
  }
  return room.subarray(0, length)
}

/** Parts of a write that a disk writes as one; what is longer may come in part, and in any order. */
function tear(change: Change, sector: number): Change[] {
  if (change.kind === 'truncate') return [change]
  const parts: Change[] = []
  for (let start = 0; start < change.data.length;) {
    const end = Math.min(change.data.length, start + sector - ((change.at + start) % sector))
    parts.push({ kind: 'write', at: change.at + start, data: change.data.subarray(start, end) })
    start = end
  }
  return parts
}

/** What becomes of what was not synced when the power goes. */
export type Luck = { readonly keep: number; readonly sector: number; readonly random: () => number }

/** The disk under a folder: what is there for certain, and what may be. */
export class Disk {
  readonly #inodes = new Map<string, Inode>()
  /** Names as they are for certain; those in use are the keys of the inodes. */
  #sure = new Map<string, Inode>()
  #done = 0

  constructor(folder: string, baseline: string) {
    for (const name of readdirSync(baseline, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue
      const from = join(name.parentPath, name.name)
      const inode = { sure: readFileSync(from), pending: [] }
      this.#inodes.set(join(folder, relative(baseline, from)), inode)
      this.#sure.set(join(folder, relative(baseline, from)), inode)
    }
  }

  /** Goes on to just after an event. */
  advance(events: readonly DiskEvent[], upTo: number): void {
    for (; this.#done < upTo; this.#done += 1) {
      const event = events[this.#done]
      if (event) this.#take(event, events)
    }
  }

  #take(event: DiskEvent, events: readonly DiskEvent[]): void {
    if (event.kind === 'told') return
    const inode = this.#inodes.get(event.path)
    if (event.kind === 'create') this.#inodes.set(event.path, inode ?? { sure: Buffer.alloc(0), pending: [] })
    else if (event.kind === 'change') inode?.pending.push(event.change)
    else if (event.kind === 'unlink') this.#inodes.delete(event.path)
    else if (event.kind === 'rename') {
      if (inode) this.#inodes.set(event.to, inode)
      this.#inodes.delete(event.path)
    } else if (event.kind === 'sync' && inode) {
      // What was written while it was being synced may have come too late.
      const late = new Set(events.slice(event.begun, this.#done).flatMap((one) => (one.kind === 'change' ? [one.change] : [])))
      inode.sure = applyAll(
        inode.sure,
        inode.pending.filter((one) => !late.has(one)),
      )
      inode.pending = inode.pending.filter((one) => late.has(one))
    } else this.#syncFolder(event.path)
  }

  #syncFolder(folder: string): void {
    const isIn = (path: string) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/')
    this.#sure = new Map([...[...this.#sure].filter(([path]) => !isIn(path)), ...[...this.#inodes].filter(([path]) => isIn(path))])
  }

  /** The files that are there after the power went: what is certain, and of the rest what luck left. */
  cut({ keep, sector, random }: Luck): Map<string, Buffer> {
    const names = new Map(random() < keep ? this.#inodes : this.#sure)
    return new Map(
      [...names].map(([path, { sure, pending }]): [string, Buffer] => {
        const parts = pending.flatMap((change) => tear(change, sector)).filter(() => random() < keep)
        return [path, applyAll(sure, parts)]
      }),
    )
  }
}
