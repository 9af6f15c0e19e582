import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { z } from 'zod'
import { workerFile } from '#main/worker-file'
import type { ThreadWork } from './snapshot-worker'

/** Does long work on a database in a separate thread; ending it by `signal` leaves any file it was writing. */
export async function inThread<T>(
  work: ThreadWork,
  { answer: response, signal }: { answer: z.ZodType<T>; signal: AbortSignal },
): Promise<T> {
  signal.throwIfAborted()
  const worker = new Worker(workerFile(import.meta.dirname, 'snapshot-worker'), { workerData: work })
  try {
    const messages: unknown[] = await once(worker, 'message', { signal })
    return response.parse(messages[0])
  } finally {
    await worker.terminate()
  }
}
