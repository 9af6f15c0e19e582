import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Piscina } from 'piscina'
import { z } from 'zod'
import { matchesDeclaredType, readStart } from './sniff'
import type { DeclaredFile, Inspection, InspectionLimits, Rendition, RenditionStyle } from './inspection'

/** Looks inside files that others sent, in a thread that is killed when a file takes too long. */
export interface Inspector {
  /** What the file is. @throws when there is no file, or after `close` */
  inspect(file: DeclaredFile): Promise<Inspection>
  /** A picture of the file, undefined when it has none (XML) or it cannot be made. @throws after `close` */
  rendition(request: DeclaredFile & { style: RenditionStyle }): Promise<Rendition | undefined>
  /** Ends the threads and whatever they are at. */
  close(): Promise<void>
}

/** Time and size limits; the time is for one file, not counting its wait for a thread. */
export interface InspectorOptions extends Partial<InspectionLimits> {
  timeoutMs?: number
  threads?: number
}

const defaultLimits: InspectionLimits = { maxPixels: 100_000_000, maxTiffPages: 200, maxPdfPages: 500, maxXmlDepth: 100 }
const maxHeapMb = 512
const idleTimeoutMs = 30_000

const size = z.number().optional()
const reason = z.enum(['type_mismatch', 'too_many_pixels', 'too_many_pages', 'malformed', 'doctype', 'timed_out'])
const inspectionSchema: z.ZodType<Inspection> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ok'), width: size, height: size, pages: size }),
  z.object({ kind: z.literal('refused'), reason }),
])
const renditionSchema: z.ZodType<Rendition | undefined> = z
  .object({
    bytes: z.instanceof(Uint8Array),
    content_type: z.enum(['image/jpeg', 'image/png']),
    width: z.number(),
    height: z.number(),
  })
  .optional()

/** What became of a job in a thread. */
type Outcome<Result> = { kind: 'done'; result: Result } | { kind: 'timed_out' } | { kind: 'died' }

/** An inspector; threads start at the first file and end when there is nothing to do for a while. */
export function createInspector({ timeoutMs = 10_000, threads = 1, ...given }: InspectorOptions = {}): Inspector {
  const limits: InspectionLimits = { ...defaultLimits, ...given }
  const slots = createSlots(threads)
  let isClosed = false
  let starting: Promise<Piscina> | undefined

  const run = async <Result>(name: 'inspect' | 'rendition', task: object, answer: z.ZodType<Result>): Promise<Outcome<Result>> =>
    slots(async () => {
      if (isClosed) throw new Error('The inspector is closed')
      starting ??= startPool(threads)
      const pool = await starting
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        return { kind: 'done', result: answer.parse(await pool.run(task, { name, signal })) }
      } catch (error) {
        if (isClosed) throw error
        return { kind: signal.aborted ? 'timed_out' : 'died' }
      }
    })

  return {
    inspect: async (file) => {
      const { path, content_type } = file
      if (!(await matchesDeclaredType(await readStart(path), content_type))) return { kind: 'refused', reason: 'type_mismatch' }
      const outcome = await run('inspect', { file: { path, content_type }, limits }, inspectionSchema)
      if (outcome.kind === 'done') return outcome.result
      return { kind: 'refused', reason: outcome.kind === 'timed_out' ? 'timed_out' : 'malformed' }
    },
    rendition: async ({ path, content_type, style }) => {
      const outcome = await run('rendition', { file: { path, content_type }, style, limits }, renditionSchema)
      return outcome.kind === 'done' ? outcome.result : undefined
    },
    close: async () => {
      isClosed = true
      await (await starting)?.destroy()
    },
  }
}

async function startPool(threads: number): Promise<Piscina> {
  // Native libraries are unloaded with the last thread that loaded them, which crashes the process when one is killed in the
  // middle of work; loaded here too they stay.
  const [{ Piscina }] = await Promise.all([import('piscina'), import('sharp'), import('@napi-rs/canvas')])
  return new Piscina({
    filename: workerFile(),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleTimeoutMs,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
}

/** The worker beside the built program; in tests nothing is built, and Node runs its source. */
function workerFile(): string {
  const built = join(import.meta.dirname, 'inspect-worker.js')
  return existsSync(built) ? built : join(import.meta.dirname, 'inspect-worker.ts')
}

/** Lets that many jobs run at once, the others in the order they came: the pool's own queue would count waiting as time used. */
function createSlots(count: number): <Result>(job: () => Promise<Result>) => Promise<Result> {
  const waiting: Array<() => void> = []
  let free = count
  return async (job) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await job()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
