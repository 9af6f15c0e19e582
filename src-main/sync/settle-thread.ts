import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Piscina } from 'piscina'
import { z } from 'zod'
import type { SettleThread } from './exchange'
import type { SettleTask } from './settle-worker'

const settled = z.object({ pulled: z.int(), removed: z.int() })

/** The worker next to the built program. */
const workerFile = join(import.meta.dirname, 'settle-worker.js')

/** A thread for the database of a data folder; none where nothing is built, as in tests. */
export function createSettleThread(task: SettleTask): SettleThread | undefined {
  if (!existsSync(workerFile)) return undefined
  let starting: Promise<Piscina> | undefined
  const pool = () => (starting ??= startPool())
  return {
    start: () => void pool().catch(() => undefined),
    settle: async ({ store, log, tally }) => {
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
