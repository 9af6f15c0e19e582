import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Presence, measurePresence } from './sync-presence'
import { startProgram, startRole } from './servers'
import type { FloorWork } from './sync-floor'
import { type SeededRemote, seedRemote } from './sync-seed'
import { type Traffic, outlay, runRole, startCounting } from './sync-wire'

/** One exchange beside its floor; milliseconds. */
export interface SyncFigure {
  readonly name: string
  readonly outlay_ms: number
  readonly floor_ms: number
  readonly ratio: number
  /** The most that the ratio should be. */
  readonly aim: number
  readonly traffic: Traffic
}

/** All that the bench says about replicas. */
export interface SyncFigures {
  readonly records: number
  readonly exchanges: readonly SyncFigure[]
  /** Bytes of a page for each row over the JSON of the row itself. */
  readonly bytes_over_json: number
  readonly row_bytes: number
  readonly presence: Presence | null
}

/** How much of a part is done at once: what was changed, or is new. */
const part = 1000
const batchLength = 500

interface Batch {
  readonly results: ReadonlyArray<{ readonly status: number }>
}

async function sendBatch(url: string, token: string, operations: readonly object[]): Promise<void> {
  for (let done = 0; done < operations.length; done += batchLength) {
    const response = await fetch(`${url}/api/v1/batch`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
        'content-type': 'application/json',
        'user-agent': 'bench',
      },
      body: JSON.stringify({ operations: operations.slice(done, done + batchLength) }),
    })
    const { results }: Batch = await response.json()
    const refused = results.filter(({ status }) => status >= 300)
    if (refused.length > 0) throw new Error(`${refused.length} operations were refused: ${JSON.stringify(refused[0])}`)
  }
}

interface Timed {
  readonly ms: number
  readonly traffic: Traffic
}

/** One fresh replica: its first pull, what was changed, and what is new. */
async function measureReplica(
  seeded: SeededRemote,
  { folder, url, remote, take }: { folder: string; url: string; remote: string; take: () => Traffic },
): Promise<Record<'pull' | 'changes' | 'push', Timed>> {
  const { token, organization_id } = seeded
  await outlay(folder, 'remote', 'set', url, '--token', token)
  take()
  const timed = async (expected: (report: { pushed: number; pulled: number }) => boolean): Promise<Timed> => {
    const report = await outlay(folder, 'sync')
    if (!expected(report) || report.conflicts + report.failed > 0)
      throw new Error(`It did not do what was to be measured: ${JSON.stringify(report)}`)
    return { ms: report.ms, traffic: take() }
  }
  const pull = await timed(({ pulled }) => pulled >= seeded.records)
  const words = `${performance.now()}`
  await sendBatch(
    remote,
    token,
    Array.from({ length: part }, (_, index) => ({ method: 'PATCH', path: `/expenses/${index + 1}`, body: { location: words } })),
  )
  const changes = await timed(({ pulled }) => pulled >= part)
  const local = await startProgram(folder)
  await sendBatch(
    local.url,
    token,
    Array.from({ length: part }, (_, index) => ({
      method: 'POST',
      path: '/expenses',
      body: { payer: { id: organization_id, type: 'Organization' }, amount: index + 1, occurred_at: '2026-01-02', description: words },
    })),
  )
  await local.stop()
  const push = await timed(({ pushed }) => pushed === part)
  return { pull, changes, push }
}

async function measureFloor(url: string, folder: string): Promise<Record<'pull' | 'changes' | 'push', number>> {
  const work = async (kind: FloorWork['kind'], limit: number) =>
    (await runRole<{ ms: number }>('sync-floor-client', { url, folder, kind, limit, count: part } satisfies FloorWork)).ms
  const pull = await work('pull', 1000)
  await fetch(`${url}/change?limit=${part}`)
  const changes = await work('changes', 1000)
  return { pull, changes, push: await work('push', 200) }
}

/** Bytes of the JSON of all rows that a first pull brings, and how many they are. */
function weigh({ folder }: SeededRemote): { rows: number; bytes: number } {
  const db = new Database(join(folder, 'outlay.db'), { readonly: true })
  let [rows, bytes] = [0, 0]
  for (const table of ['expenses', 'activities'])
    for (const row of db.prepare<[], Array<string | number | null>>(`SELECT * FROM ${table}`).raw().iterate()) {
      rows += 1
      bytes += JSON.stringify(row).length
    }
  db.close()
  return { rows, bytes }
}

const aims = { pull: 2, changes: 2.5, push: 3 } as const

/** Measures replicas of a remote with so many records, by turns with the floor; the best of the rounds counts. */
export async function measureSync(
  folder: string,
  { records, rounds, isLoaded }: { records: number; rounds: number; isLoaded: boolean },
): Promise<SyncFigures> {
  const seeded = await seedRemote(join(folder, `sync-remote-${records}`), records)
  const weight = weigh(seeded)
  let target = ''
  const counting = await startCounting(() => target)
  const remote = await startProgram(seeded.folder, { OUTLAY_ALLOWED_HOSTS: counting.host })
  target = remote.url
  const ours: Array<Record<'pull' | 'changes' | 'push', Timed>> = []
  const bare: Array<Record<'pull' | 'changes' | 'push', number>> = []
  try {
    const at = (name: string) => join(folder, `sync-${records}-${name}`)
    const counted = await measureReplica(seeded, { folder: at('counted'), url: counting.url, remote: remote.url, take: counting.take })
    const floor = await startRole('sync-floor', seeded.folder)
    for (let round = 0; round < rounds; round += 1) {
      const to = { folder: at(`replica-${round}`), url: remote.url, remote: remote.url, take: counting.take }
      ours.push(await measureReplica(seeded, to))
      bare.push(await measureFloor(floor.url, at(`floor-${round}`)))
      for (const name of [`replica-${round}`, `floor-${round}`]) rmSync(at(name), { recursive: true, force: true })
    }
    await floor.stop()
    const presence = isLoaded ? await measurePresence(seeded, { url: remote.url, folder: at('presence') }) : null
    const exchanges = (['pull', 'changes', 'push'] as const).map((kind): SyncFigure => {
      const [outlay_ms, floor_ms] = [Math.min(...ours.map((one) => one[kind].ms)), Math.min(...bare.map((one) => one[kind]))]
      const { traffic } = counted[kind]
      return { name: kind, outlay_ms, floor_ms, ratio: outlay_ms / floor_ms, aim: aims[kind], traffic }
    })
    const raw = counted.pull.traffic.raw
    const bytes_over_json = (raw - weight.bytes) / weight.rows
    return { records, exchanges, bytes_over_json, row_bytes: weight.bytes / weight.rows, presence }
  } finally {
    await remote.stop()
    counting.close()
  }
}
