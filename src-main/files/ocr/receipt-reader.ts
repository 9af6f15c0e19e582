import type { ContentType } from '#shared/domain/content-types'
import { maxPicturePixels } from '#shared/domain/photos'
import type { FieldReading } from '#shared/readings/reading'
import { readingsSchema } from '#shared/readings/stored'
import { createChildPool } from '#main/processes/child-pool'
import { workerFile } from '#main/worker-file'

/** The result of reading a receipt. `crashed`: its process ended, because of it or for another reason. */
export type ReceiptOutcome =
  { readonly kind: 'read'; readonly fields: readonly FieldReading[] } | { readonly kind: 'gave_up' | 'unreadable' | 'crashed' }

/** Reads receipts one at a time, in a process that starts with the first and ends after an idle minute. */
export interface ReceiptReader {
  /** @throws after `close` */
  read(file: { readonly path: string; readonly content_type: ContentType }): Promise<ReceiptOutcome>
  close(): Promise<void>
}

/** The engine and weights: others may read different values. */
export const readingEngine = 'ppocrv4/3'

const limits = { maxPixels: maxPicturePixels, maxTiffPages: 200, maxPdfPages: 500, maxXmlDepth: 100 }
/** Limits processor time, not elapsed time: at the lowest priority a busy machine takes minutes for a second's work. */
const usual = { processorMs: 20_000, maxMemoryMb: 620 }
const timeoutMs = 300_000

/** Makes a reader of receipts, for one at a time. */
export function createReceiptReader(options: Partial<typeof usual> = {}): ReceiptReader {
  const { processorMs, maxMemoryMb } = { ...usual, ...options }
  const pool = createChildPool({ file: workerFile(import.meta.dirname, 'receipt-worker'), processes: 1, maxMemoryMb })
  return {
    read: async (file) => {
      const run = () => pool.run({ name: 'read', task: { file, limits }, timeoutMs, processorMs })
      const first = await run()
      // Its process may have ended because of the receipts before: this one is read once more in a new process.
      const outcome = first.kind === 'too_large' || first.kind === 'died' ? await run() : first
      if (outcome.kind === 'timed_out') return { kind: 'gave_up' }
      if (outcome.kind === 'failed') return { kind: 'unreadable' }
      if (outcome.kind !== 'done') return { kind: 'crashed' }
      const { data } = readingsSchema.safeParse(outcome.value)
      return data ? { kind: 'read', fields: data } : { kind: 'unreadable' }
    },
    close: () => pool.close(),
  }
}
