import { readFileSync } from 'node:fs'
import { type Case, cases, comparedPaths } from './cases'
import { type Measured, measure } from './load'
import type { Seeded } from './seed'
import { type Running, startFloor, startProgram } from './servers'

/** One row of the table: the program beside its floor. */
export interface Comparison {
  readonly name: string
  readonly unit: string
  readonly program: number
  readonly floor: number
  readonly ratio: number
  readonly p50_ms?: number
  readonly p99_ms?: number
  /** Memory of the program after the row, in MB, without pages of the database's file that are only mapped; where Linux tells it. */
  readonly memory_mb?: number
}

export interface RequestOptions {
  readonly program: Seeded
  readonly floor: Seeded
  readonly seconds: number
  readonly rounds: number
}

const connections = 16

function compare(name: string, unit: string, sides: Pick<Comparison, 'program' | 'floor' | 'p50_ms' | 'p99_ms' | 'memory_mb'>): Comparison {
  return { name, unit, ...sides, ratio: sides.program / sides.floor }
}

function readMemory({ pid }: Running): number | undefined {
  if (process.platform !== 'linux') return undefined
  const [, kilobytes] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

/** The name of the row of batches. */
export const batchRow = 'batch of approvals'

/**
 * Measures the wanted requests of {@link cases} and batches, program and floor by turns so that both meet the same machine; the best round
 * counts. Each row is yielded as soon as it is measured.
 */
export async function* measureRequests(options: RequestOptions, isWanted: (name: string) => boolean): AsyncGenerator<Comparison> {
  const wanted = cases.filter(({ name }) => isWanted(name))
  if (wanted.length === 0 && !isWanted(batchRow)) return
  const [program, floor] = await Promise.all([startProgram(options.program.folder), startFloor(options.floor.folder)])
  try {
    await assertSameBytes(options, { program, floor })
    for (const one of wanted) yield await measureCase(options, { program, floor }, one)
    if (isWanted(batchRow)) yield await measureBatches(options, { program, floor })
  } finally {
    await Promise.all([program.stop(), floor.stop()])
  }
}

async function measureCase(
  options: RequestOptions,
  servers: { program: Running; floor: Running },
  { name, load }: Case,
): Promise<Comparison> {
  const best: { program?: Measured; floor?: Measured } = {}
  for (let round = 0; round <= options.rounds; round += 1)
    for (const side of ['program', 'floor'] as const) {
      const { token, folder } = options[side]
      // The first round warms both up.
      const seconds = round === 0 ? 1 : options.seconds
      const run = { url: servers[side].url, token, load: load(options[side], round), seconds, connections, folder }
      const measured = await measure(run)
      if (round > 0 && measured.per_second > (best[side]?.per_second ?? 0)) best[side] = measured
    }
  const { program, floor } = best
  if (!program || !floor) throw new Error('At least one round is needed.')
  const { p50_ms, p99_ms } = program
  const memory_mb = readMemory(servers.program)
  return compare(name, 'requests/s', { program: program.per_second, floor: floor.per_second, p50_ms, p99_ms, memory_mb })
}

async function send(
  server: Running,
  { token }: Seeded,
  { method, path, body }: { method: string; path: string; body?: string },
): Promise<string> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
    'content-type': 'application/json',
    'user-agent': 'bench',
  }
  const response = await fetch(`${server.url}${path}`, { method, headers, body })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return response.text()
}

/** A floor that returned something else would prove nothing. */
async function assertSameBytes({ program, floor }: RequestOptions, servers: { program: Running; floor: Running }): Promise<void> {
  for (const path of comparedPaths(program)) {
    const read = async (server: Running, seeded: Seeded) => (await send(server, seeded, { method: 'GET', path })).replaceAll(server.url, '')
    const [ours, least] = await Promise.all([read(servers.program, program), read(servers.floor, floor)])
    if (ours !== least) throw new Error(`The floor does not return the same bytes to ${path}:\n${ours}\n${least}`)
  }
}

/** Batches of 1,000 approvals, one after the other. */
async function measureBatches(
  { program, floor, rounds }: RequestOptions,
  servers: { program: Running; floor: Running },
): Promise<Comparison> {
  const size = Math.min(1000, Math.floor(program.expenses / 10 / (rounds + 1)))
  const best = { program: 0, floor: 0 }
  for (let round = 0; round <= rounds; round += 1)
    for (const [side, seeded] of [
      ['program', program],
      ['floor', floor],
    ] as const) {
      const first = 1 + Math.floor(seeded.expenses * 0.9) + round * size
      const operations = Array.from({ length: size }, (_, index) => ({
        method: 'PUT',
        path: `/expenses/${first + index}/status`,
        body: { status: 'approved', approved_amount: 1 },
      }))
      const body = JSON.stringify({ operations })
      const start = performance.now()
      const text = await send(servers[side], seeded, { method: 'POST', path: '/api/v1/batch', body })
      const perSecond = (size / (performance.now() - start)) * 1000
      if (text.split('"status":"approved"').length - 1 !== size) throw new Error('Not every operation of the batch was done.')
      if (round > 0) best[side] = Math.max(best[side], perSecond)
    }
  return compare(batchRow, 'approvals/s', { ...best, memory_mb: readMemory(servers.program) })
}
