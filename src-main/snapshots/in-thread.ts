import type { z } from 'zod'
import { workerFile } from '#main/files/worker-file'

/** The work that the thread of snapshots does, by its name there. */
export type ThreadWork = 'copy' | 'salvage'

/** Does long work on a database in a thread of its own; ending it by `signal` leaves whatever it was writing. */
export async function inThread<T>(
  name: ThreadWork,
  task: object,
  { answer, signal }: { answer: z.ZodType<T>; signal: AbortSignal },
): Promise<T> {
  const { Piscina } = await import('piscina')
  signal.throwIfAborted()
  const pool = new Piscina({ filename: workerFile(import.meta.dirname, 'snapshot-worker'), minThreads: 1, maxThreads: 1 })
  try {
    return answer.parse(await pool.run(task, { name, signal }))
  } finally {
    await pool.destroy()
  }
}
