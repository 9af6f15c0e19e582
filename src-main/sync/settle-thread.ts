import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Piscina } from 'piscina'
import { z } from 'zod'
import type { Exchange } from './exchange'
import type { SettleTask } from './settle-worker'

const settled = z.object({ pulled: z.int(), removed: z.int() })

/** A separate thread that makes a long snapshot the base. */
export interface SettleThread {
  /** Starts it, so that it is there by the time it is needed. */
  start(): void
  /** Makes what is staged the base; false: it could not, nothing has changed, and it is to be done here. */
  settle(exchange: Exchange): Promise<boolean>
  /** Ends it. */
  end(): Promise<void>
}

/** The worker next to the built program. */
const workerFile = join(import.meta.dirname, 'settle-worker.js')

/** A thread for the database of a data folder; none where nothing is built, as in tests. */
export function createSettleThread(data_folder: string): SettleThread | undefined {
  if (!existsSync(workerFile)) return undefined
  let starting: Promise<Piscina> | undefined
  const pool = () => (starting ??= startPool())
  return {
    start: () => void pool().catch(() => undefined),
    settle: async ({ store, log, tally }) => {
      const task: SettleTask = { data_folder }
      try {
        const done = await store.lend(async () => settled.parse(await (await pool()).run(task)))
        tally.pulled += done.pulled
        tally.removed += done.removed
        return true
      } catch (error) {
        log.info({ err: error }, 'a snapshot is made the base by the thread that answers')
        return false
      }
    },
    end: async () => {
      const started = starting
      starting = undefined
      await (await started?.catch(() => undefined))?.destroy()
    },
  }
}

async function startPool(): Promise<Piscina> {
  const { Piscina } = await import('piscina')
  return new Piscina({ filename: workerFile, name: 'settleApart', minThreads: 1, maxThreads: 1 })
}
