import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProgramWith } from './servers'
import type { SeededRemote } from './sync-seed'
import { outlay } from './sync-wire'

/** What people notice of replicas that keep themselves in step. */
export interface Presence {
  /** How long the event loop of a served replica was held while its first exchange ran and its review list was asked for. */
  readonly loop: { readonly p50_ms: number; readonly p99_ms: number; readonly max_ms: number }
  readonly list: { readonly count: number; readonly p50_ms: number; readonly p99_ms: number }
  readonly first_exchange_ms: number
  /** From the answer to an approval on one replica until another shows it. */
  readonly approval: { readonly p50_ms: number; readonly worst_ms: number; readonly runs: number }
}

const runs = 30
const load = join(import.meta.dirname, '../../test/bench/loop-delay.mjs')

function quantile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
}

function clientOf(url: string, token: string) {
  const headers = {
    authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
    'content-type': 'application/json',
    'user-agent': 'bench',
  }
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
    const value: { status?: string; last_synced_at?: string | null } = await response.json()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(value)}`)
    return value
  }
}

/** Serves two new replicas of a remote: the first is asked for lists while it fills, then both for what the other approved. */
export async function measurePresence(
  { token, organization_id }: SeededRemote,
  { url, folder }: { url: string; folder: string },
): Promise<Presence> {
  const folders = [`${folder}-one`, `${folder}-two`] as const
  for (const one of folders) await outlay(one, 'remote', 'set', url, '--token', token)
  const file = join(folders[0], 'loop-delay.json')
  const served = { load, args: ['--sync'], env: { LOOP_DELAY_FILE: file } }
  const first = await startProgramWith(folders[0], served)
  process.kill(first.pid, 'SIGUSR2')
  const started = performance.now()
  const list = await askWhileFilling(clientOf(first.url, token), organization_id)
  const first_exchange_ms = performance.now() - started
  await first.stop()
  const loop: Presence['loop'] = JSON.parse(readFileSync(file, 'utf8'))
  const again = await startProgramWith(folders[0], { ...served, env: {} })
  const second = await startProgramWith(folders[1], { ...served, env: {} })
  try {
    const [here, there] = [clientOf(again.url, token), clientOf(second.url, token)]
    while (!(await there('GET', '/replica')).last_synced_at) await sleep(100)
    const times: number[] = []
    // The newest ones: nothing else has touched them.
    for (let run = 0; run < runs; run += 1) times.push(await approveAndSee(here, there, 2000 + run))
    return { loop, list, first_exchange_ms, approval: { p50_ms: quantile(times, 0.5), worst_ms: Math.max(...times), runs } }
  } finally {
    await again.stop()
    await second.stop()
  }
}

type Client = ReturnType<typeof clientOf>

async function askWhileFilling(client: Client, organization_id: number): Promise<Presence['list']> {
  const times: number[] = []
  let isDone = false
  const watch = async () => {
    while (!(await client('GET', '/replica')).last_synced_at) await sleep(50)
    isDone = true
  }
  const watching = watch()
  while (!isDone) {
    const started = performance.now()
    await client('GET', `/expenses?q%5Bpayer_id_eq%5D=${organization_id}&per_page=100`)
    times.push(performance.now() - started)
  }
  await watching
  return { count: times.length, p50_ms: quantile(times, 0.5), p99_ms: quantile(times, 0.99) }
}

async function approveAndSee(here: Client, there: Client, id: number): Promise<number> {
  await here('PUT', `/expenses/${id}/status`, { status: 'approved', approved_amount: 1, approved_amount_currency: 'BRL' })
  const started = performance.now()
  while ((await there('GET', `/expenses/${id}`)).status !== 'approved') await sleep(4)
  const ms = performance.now() - started
  // What one approval sets in motion has come to rest before the next.
  await sleep(400)
  return ms
}
