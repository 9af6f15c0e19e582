import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a caller who asks at a steady pace waits for an answer. */
export interface Paced {
  readonly p50_ms: number
  readonly p99_ms: number
}

interface Run {
  readonly url: string
  readonly token: string
  /** Asked for by turns. */
  readonly paths: readonly string[]
  /** Requests a second. */
  readonly pace: number
  readonly seconds: number
}

/**
 * Asks at a steady pace, whether or not earlier answers have come: a server that stands still for a moment shows in every
 * request of that moment.
 */
export async function measurePaced({ url, token, paths, pace, seconds }: Run): Promise<Paced> {
  const agent = new Agent({ keepAlive: true })
  const headers = { Authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`, 'User-Agent': 'bench' }
  const ask = (path: string, dueMs: number) =>
    new Promise<number>((resolve, reject) => {
      const outgoing = request(new URL(path, url), { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`))
        response.resume().on('end', () => resolve(performance.now() - dueMs))
      })
      outgoing.on('error', reject).end()
    })
  const start = performance.now()
  const asked: Promise<number>[] = []
  for (let count = 0; count < pace * seconds; count += 1) {
    const dueMs = start + (count * 1000) / pace
    await sleep(Math.max(0, dueMs - performance.now()))
    asked.push(ask(paths[count % paths.length] ?? '/', performance.now()))
  }
  const times = (await Promise.all(asked)).toSorted((a, b) => a - b)
  agent.destroy()
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { p50_ms: at(0.5), p99_ms: at(0.99) }
}

/** One reader at a steady pace, with nothing else to do and while other work is done. */
export interface Beside {
  readonly idle: Paced
  readonly during: Paced
}

/** Measures a reader alone and while `work` runs again and again; `count` is different each time. */
export async function measureBeside(run: Run, work: (count: number) => Promise<void>): Promise<Beside> {
  const idle = await measurePaced(run)
  const reading = measurePaced(run)
  let isRead = false
  void reading.finally(() => (isRead = true)).catch(() => undefined)
  for (let count = 0; !isRead; count += 1) await work(count)
  return { idle, during: await reading }
}
