import { listPath } from './cases'
import type { Seeded } from './seed'
import { startProgram } from './servers'

/** Milliseconds from the start of the process to each first answer of 200; the median of several starts. */
export interface ColdStart {
  readonly listening_ms: number
  readonly health_ms: number
  readonly list_ms: number
}

/** Starts the program several times on a seeded folder. */
export async function measureColdStart(seeded: Seeded, starts: number): Promise<ColdStart> {
  const runs: ColdStart[] = []
  for (let run = 0; run < starts; run += 1) {
    const started = performance.now()
    const server = await startProgram(seeded.folder)
    const reach = async (path: string) => {
      const authorization = `Basic ${Buffer.from(`${seeded.token}:`).toString('base64')}`
      const response = await fetch(`${server.url}${path}`, { headers: { authorization, 'user-agent': 'bench' } })
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
      return performance.now() - started
    }
    const health_ms = await reach('/api/v1/health')
    runs.push({ listening_ms: server.ready_ms, health_ms, list_ms: await reach(listPath(seeded)) })
    await server.stop()
  }
  const median = (name: keyof ColdStart) => runs.map((run) => run[name]).sort((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 0
  return { listening_ms: median('listening_ms'), health_ms: median('health_ms'), list_ms: median('list_ms') }
}
