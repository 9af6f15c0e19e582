import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBlobStore } from '#main/files/blob-store'
import { isBuilt } from '#test/support/built-server'
import { Disk, type DiskEvent, readTrace, tracedCalls } from '#test/support/disks/disk-trace'
import { inForm } from '#test/support/form'
import { apiOf } from '#test/support/instance'
import { type RemoteProcess, makeReplica, nothingAcknowledged, startRemote, startWriting } from '#test/support/sync/sync-processes'
import { folderOfFile } from '#test/support/of-file'

/** `npm run torture -- power` cuts at every sync and at thousands of other moments. */
const isTorture = process.env.TORTURE === 'power'
/** Both sides write for so long, and until so many receipts stand on each, however slow the machine is. */
const [seconds, least] = isTorture ? [10, 20] : inForm([0.3, 2], [1, 4])
const [syncCuts, otherCuts] = isTorture ? [Infinity, Number(process.env.TORTURE_COUNT ?? 4000)] : inForm([6, 6], [50, 50])
/** As many write here at the same time, so that their writes share commits. */
const writersHere = 6
const root = join(import.meta.dirname, '../..')

function findStrace(): string | undefined {
  try {
    return execFileSync('strace', ['-V'], { encoding: 'utf8' })
  } catch {
    return undefined
  }
}
const why = !isBuilt ? 'the program is not built' : findStrace() === undefined ? 'strace is not installed' : undefined

let remote: RemoteProcess
const scratch = folderOfFile('outlay-power-')
beforeAll(async () => {
  if (why !== undefined) return
  remote = await startRemote(20)
})
afterAll(async () => {
  if (why !== undefined) return
  await remote.remove()
})

/** What a traced run left: the disk before it, what it did to it, and what others wrote meanwhile. */
interface Traced {
  readonly folder: string
  readonly baseline: string
  readonly events: readonly DiskEvent[]
}

/** Serves a new replica that keeps itself in step, while both sides write, and traces what it does to its disk. */
async function trace(level: string): Promise<Traced> {
  const replica = await makeReplica(remote)
  await replica.sync().ended
  const { folder } = replica
  const baseline = join(scratch, `${level}-baseline`)
  cpSync(folder, baseline, { recursive: true })
  const file = join(scratch, `${level}.trace`)
  const weaken = level === 'FULL' ? [] : ['--import', join(import.meta.dirname, '../support/weaken-sync.mjs')]
  const program = [process.execPath, ...weaken, join(root, 'out/main/cli.js'), 'serve', '--sync', '--port', '0', '--data', folder]
  const flags = ['-f', '--seccomp-bpf', '-y', '-xx', '-s', '33554432', '-e', `trace=${tracedCalls}`, '-o', file]
  const traced = spawn('strace', [...flags, ...program], {
    cwd: root,
    env: { PATH: process.env.PATH, OUTLAY_LOG: 'silent', WEAK_SYNC: level },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(traced, 'exit')
  const [line] = await once(createInterface(traced.stdout), 'line')
  const { url, pid }: { url: string; pid: number } = JSON.parse(line)
  const { organization_id, token } = remote
  const noted = { here: nothingAcknowledged(), there: nothingAcknowledged() }
  const writers = [
    ...Array.from({ length: writersHere }, (_, number) =>
      startWriting({ name: `${level} here ${number}`, organization_id, api: () => apiOf(url, token), noted: noted.here }),
    ),
    startWriting({ name: `${level} there`, organization_id, api: () => remote.api(), noted: noted.there }),
  ]
  await sleep(seconds * 1000)
  while (Math.min(noted.here.receipts.size, noted.there.receipts.size) < least) await sleep(20)
  for (const writer of writers) await writer.stop()
  process.kill(pid, 'SIGKILL')
  await ended
  return { folder, baseline, events: readTrace(file, folder) }
}

/** The records that the process told its callers it had made, in the order in which it did. */
function listNotified(events: readonly DiskEvent[]): Array<{ at: number; uid: string }> {
  return events.flatMap((event, at) => {
    const text = event.kind === 'told' ? event.data.toString('latin1') : ''
    const [, uid] = /^HTTP\/1\.1 201 [^]*?\{"id":-?\d+,"uid":"([0-9a-f-]{36})"/.exec(text) ?? []
    return uid === undefined ? [] : [{ at, uid }]
  })
}

/** Where in the remote's history each of its expenses was made. */
function readHistory(): Array<{ uid: string; seq: number }> {
  const db = new Database(join(remote.folder, 'outlay.db'), { readonly: true })
  const query = "SELECT record_uid AS uid, min(seq) AS seq FROM change_log WHERE table_name = 'expenses' GROUP BY record_uid"
  const rows = db.prepare<[], { uid: string; seq: number }>(query).all()
  db.close()
  return rows
}

interface Expected {
  readonly told: readonly string[]
  readonly history: ReadonlyArray<{ uid: string; seq: number }>
}

/** What is wrong with a folder as the power cut left it; nothing when all that was promised is there. */
async function examine(files: ReadonlyMap<string, Buffer>, folder: string, { told, history }: Expected): Promise<string[]> {
  const rebuilt = join(scratch, 'rebuilt')
  rmSync(rebuilt, { recursive: true, force: true })
  for (const [path, content] of files) {
    // The first process that opens the log rebuilds its index.
    if (path.endsWith('-shm') || path.endsWith('.lock')) continue
    const to = join(rebuilt, path.slice(folder.length + 1))
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, content)
  }
  const problems: string[] = []
  try {
    const db = new Database(join(rebuilt, 'outlay.db'))
    const checked = String(db.pragma('integrity_check(1)', { simple: true }))
    if (checked !== 'ok') problems.push(`integrity: ${checked}`)
    const list = (query: string) => db.prepare<[], string>(query).pluck().all()
    const uids = new Set(['expenses', 'comments', 'attachments'].flatMap((table) => list(`SELECT uid FROM ${table}`)))
    for (const uid of told) if (!uids.has(uid)) problems.push(`lost: ${uid}`)
    const pulled: { seq: number } = JSON.parse(list("SELECT value FROM sync_state WHERE key = 'pulled'")[0] ?? '{"seq":0}')
    for (const { uid, seq } of history) if (seq <= pulled.seq && !uids.has(uid)) problems.push(`cursor ahead: ${uid}`)
    const blobs = createBlobStore(rebuilt, { randomId: () => 'unused' })
    const named = list("SELECT sha256 FROM blobs WHERE sha256 NOT IN (SELECT sha256 FROM sync_blobs WHERE direction = 'down')")
    for (const sha256 of named) {
      const { kind } = await blobs.verify(sha256)
      if (kind !== 'intact') problems.push(`file ${kind}: ${sha256}`)
    }
    db.close()
  } catch (error) {
    problems.push(`unreadable: ${String(error)}`)
  }
  return problems
}

const lucks = [
  { keep: 0, sector: 4096 },
  { keep: 1, sector: 4096 },
  { keep: 0.5, sector: 512 },
  { keep: 0.5, sector: 4096 },
  { keep: 0.9, sector: 512 },
]

/** The same numbers at every run of the same trace. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Cuts the power after syncs, with nothing kept that was not synced, and at other moments, with some of it kept; counts what is wrong. */
async function cutEverywhere({ folder, baseline, events }: Traced) {
  const random = createRandom(events.length)
  const syncs = events.flatMap((event, at) => (event.kind === 'sync' ? [at + 1] : []))
  const stride = Math.max(1, Math.floor(syncs.length / syncCuts))
  const others = Array.from({ length: otherCuts }, () => Math.floor(random() * events.length))
  const chosen = [
    ...syncs.filter((_, index) => index % stride === 0).map((at) => ({ at, luck: { keep: 0, sector: 4096 } })),
    ...others.map((at, index) => ({ at, luck: lucks[index % lucks.length] ?? { keep: 0, sector: 4096 } })),
    // At the very end everything that was told is promised.
    { at: events.length, luck: { keep: 0, sector: 4096 } },
  ].sort((a, b) => a.at - b.at)
  const disk = new Disk(folder, baseline)
  const [told, history] = [listNotified(events), readHistory()]
  const found: string[] = []
  for (const { at, luck } of chosen) {
    disk.advance(events, at)
    const expected = { told: told.filter((one) => one.at < at).map(({ uid }) => uid), history }
    found.push(...(await examine(disk.cut({ ...luck, random }), folder, expected)).map((problem) => `${at}: ${problem}`))
  }
  if (isTorture)
    console.log(`${events.length} calls, ${syncs.length} syncs, ${chosen.length} cuts, ${told.length} told, ${found.length} wrong`)
  return { found, told: told.length, syncs: syncs.length }
}

const title = why === undefined ? '' : ` (skipped: ${why})`

test.runIf(why === undefined)(
  `what was acknowledged before the power went is there when it is back, wherever it went${title}`,
  { timeout: isTorture ? 3_600_000 : 400_000 },
  async () => {
    const { found, told, syncs } = await cutEverywhere(await trace('FULL'))
    expect(told).toBeGreaterThan(5)
    expect(syncs).toBeGreaterThan(20)
    expect(found).toEqual([])
  },
)

test.runIf(why === undefined).each(inForm(['NORMAL'], ['NORMAL', 'OFF']))(
  `the same finds what a disk loses with synchronous=%s${title}`,
  { timeout: isTorture ? 3_600_000 : 400_000 },
  async (level) => {
    const { found } = await cutEverywhere(await trace(level))
    expect(found.filter((problem) => problem.includes('lost:')).length).toBeGreaterThan(0)
  },
)
