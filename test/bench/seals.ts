import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock } from '#main/clock'
import { createBlobStore } from '#main/files/blob-store'
import { Store } from '#main/store/core/store'
import { readOrMakeAuditKey } from '#main/use-cases/audit/audit-key'
import { sealNext } from '#main/use-cases/audit/seal-next'
import { verifyTrail } from '#main/use-cases/audit/verify-trail'
import { type Measured, measure } from './load'
import { processorMs } from './databases/processor'
import { type Seeded, seed } from './seed'
import { startProgram } from './servers'

/** A server that never comes to seal, and one that seals twenty times as often as people's do. */
const settings = { without: { OUTLAY_SEAL_MS: '86400000' }, with: { OUTLAY_SEAL_MS: '3000' } } as const

/** What writes came to, and the processor time of the server for each, in milliseconds: that says more than the clock on a busy machine. */
type Writes = Measured & { readonly processor_ms: number }

/** Writes as fast as they are answered, to a server that has this setting. */
async function measureWrites(
  seeded: Seeded,
  folder: string,
  { env, seconds }: { env: Record<string, string>; seconds: number },
): Promise<Writes> {
  cpSync(seeded.folder, folder, { recursive: true })
  const server = await startProgram(folder, { ...env, OUTLAY_SNAPSHOT_MINUTES: '0' })
  const payer = { id: seeded.organization_id, type: 'Organization' }
  const body = JSON.stringify({ payer, amount: 12.5, occurred_at: '2026-03-04', description: 'Taxi' })
  const run = { url: server.url, token: seeded.token, seconds, connections: 4, folder }
  try {
    const before = processorMs(server.pid)
    const written = await measure({ ...run, load: { method: 'POST', path: '/api/v1/expenses', bodies: [body] } })
    return { ...written, processor_ms: (processorMs(server.pid) - before) / (written.per_second * seconds) }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

/** Measures writes with and without sealing, in turns, and how fast a trail is sealed and verified. */
export async function measureSeals(
  say: (text: string) => void,
  { rounds, seconds, expenses }: { rounds: number; seconds: number; expenses: number },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'outlay-bench-'))
  try {
    const seeded = await seed(join(folder, 'data'), expenses, { isSealed: false })
    await measureTrail(say, seeded)
    const found: Record<keyof typeof settings, Writes[]> = { without: [], with: [] }
    for (let round = 0; round < rounds; round += 1)
      for (const kind of ['without', 'with'] as const)
        found[kind].push(await measureWrites(seeded, join(folder, `${kind}-${round}`), { env: settings[kind], seconds }))
    for (const kind of ['without', 'with'] as const) {
      const [rate, p50, p99, processor] = [
        median(found[kind].map(({ per_second }) => per_second)),
        median(found[kind].map(({ p50_ms }) => p50_ms)),
        median(found[kind].map(({ p99_ms }) => p99_ms)),
        median(found[kind].map(({ processor_ms }) => processor_ms)),
      ]
      say(
        `${kind} seals: ${rate.toFixed(0)} writes/s, ${p50.toFixed(1)} ms (median), ${p99.toFixed(1)} ms (99 %), ${processor.toFixed(2)} ms of processor each, medians of ${rounds} rounds`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The processor time of this thread in each of its turns as long as something runs, in milliseconds. */
async function turnsWhile(isRunning: () => boolean): Promise<number[]> {
  const turns: number[] = []
  for (let before = process.threadCpuUsage(); isRunning(); before = process.threadCpuUsage()) {
    await nextTurn()
    const { user, system } = process.threadCpuUsage(before)
    turns.push((user + system) / 1000)
  }
  return turns
}

async function measureTrail(say: (text: string) => void, { folder }: Seeded): Promise<void> {
  const store = await Store.open(folder, { clock: systemClock, isOwner: false, cacheMb: 32 })
  const key = await readOrMakeAuditKey(folder)
  let [sealed, isSealing] = [0, true]
  const held = turnsWhile(() => isSealing)
  const start = performance.now()
  for (let count = 1; count > 0; sealed += count) count = await sealNext(store, { key, clock: systemClock })
  const took = performance.now() - start
  isSealing = false
  const turns = (await held).toSorted((a, b) => a - b)
  const [p99, most] = [turns[Math.floor(turns.length * 0.99)] ?? 0, turns.at(-1) ?? 0]
  say(
    `${sealed} entries sealed in ${(took / 1000).toFixed(2)} s; the thread was held ${most.toFixed(1)} ms of processor at most, 99 % ${p99.toFixed(1)} ms`,
  )
  const from = performance.now()
  const blobs = createBlobStore(folder, { randomId: () => systemClock.uid() })
  const { problems } = await verifyTrail(store.reader, { trusted: [key.public_key], heads: [], now: systemClock.now(), blobs })
  say(`verified in ${((performance.now() - from) / 1000).toFixed(2)} s`)
  await store.close()
  const [problem] = problems
  if (sealed === 0 || problem) throw new Error(`${sealed} entries were sealed, and a verification finds ${problem?.code ?? 'nothing'}.`)
}
