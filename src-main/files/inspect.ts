import { availableParallelism } from 'node:os'
import type { Piscina } from 'piscina'
import { z } from 'zod'
import { workerFile } from '#main/worker-file'
import { capturableTypes } from '#shared/domain/captures'
import { matchesDeclaredType, readStart } from './sniff'
import type {
  CapturedFile,
  DeclaredFile,
  Inspection,
  InspectionLimits,
  Prepared,
  Rendition,
  RenditionStyle,
  SplitMail,
} from './inspection'

/** Looks inside files that others sent, in a thread that is killed when a file takes too long. */
export interface Inspector {
  /** What the file is. @throws when there is no file, or after `close` */
  inspect(file: DeclaredFile): Promise<Inspection>
  /** A picture of the file, undefined when it has none (XML) or it cannot be made. @throws after `close` */
  rendition(request: DeclaredFile & { style: RenditionStyle }): Promise<Rendition | undefined>
  /** What is made of a captured file. @throws when there is no file, or after `close` */
  prepare(file: CapturedFile & { keepsLocation: boolean }): Promise<Prepared>
  /** The files that are attached to a message on disk. @throws after `close` */
  splitMail(path: string): Promise<SplitMail>
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
/** Two files at once are as many as memory should hold decoded. */
const usualThreads = Math.min(2, availableParallelism())
/** How much longer than others a kind of work may take: nobody waits for what is made of a captured file. */
const timesLonger = { inspect: 1, rendition: 1, prepare: 3, splitMail: 3 }

const size = z.number().optional()
const reason = z.enum(['type_mismatch', 'too_many_pixels', 'too_many_pages', 'malformed', 'doctype', 'timed_out'])
const refused = z.object({ kind: z.literal('refused'), reason })
const sizes = { width: size, height: size, pages: size }
const inspectionSchema: z.ZodType<Inspection> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ok'), ...sizes, invoice_key: z.string().optional() }),
  refused,
])
const taken_at = z.string().optional()
const preparedSchema: z.ZodType<Prepared> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('same'), ...sizes, taken_at }),
  z.object({
    kind: z.literal('made'),
    bytes: z.instanceof(Uint8Array),
    content_type: z.enum(['image/jpeg', 'image/png', 'image/tiff']),
    width: z.number(),
    height: z.number(),
    taken_at,
  }),
  refused.extend({ taken_at }),
])
const splitMailSchema: z.ZodType<SplitMail> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ok'),
    subject: z.string().optional(),
    date: z.string().optional(),
    files: z.array(z.object({ file_name: z.string(), content_type: z.enum(capturableTypes), bytes: z.instanceof(Uint8Array) })),
  }),
  z.object({ kind: z.literal('refused'), reason: z.enum([...reason.options, 'no_attachments']) }),
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
export function createInspector({ timeoutMs = 10_000, threads = usualThreads, ...given }: InspectorOptions = {}): Inspector {
  const limits: InspectionLimits = { ...defaultLimits, ...given }
  const slots = createSlots(threads)
  let isClosed = false
  let starting: Promise<Piscina> | undefined

  const run = async <Result>(name: keyof typeof timesLonger, task: object, answer: z.ZodType<Result>): Promise<Outcome<Result>> =>
    slots(async () => {
      if (isClosed) throw new Error('The inspector is closed')
      starting ??= startPool(threads)
      const pool = await starting
      const signal = AbortSignal.timeout(timeoutMs * timesLonger[name])
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
      return resultOf(await run('inspect', { file: { path, content_type }, limits }, inspectionSchema))
    },
    rendition: async ({ path, content_type, style }) => {
      const outcome = await run('rendition', { file: { path, content_type }, style, limits }, renditionSchema)
      return outcome.kind === 'done' ? outcome.result : undefined
    },
    prepare: async ({ path, content_type, keepsLocation }) =>
      resultOf(await run('prepare', { file: { path, content_type }, limits, keepsLocation }, preparedSchema)),
    splitMail: async (path) => resultOf(await run('splitMail', { path }, splitMailSchema)),
    close: async () => {
      isClosed = true
      await (await starting)?.destroy()
    },
  }
}

/** What came of a job; a file whose job ended before is refused. */
function resultOf<Result>(outcome: Outcome<Result>): Result | { kind: 'refused'; reason: 'timed_out' | 'malformed' } {
  if (outcome.kind === 'done') return outcome.result
  return { kind: 'refused', reason: outcome.kind === 'timed_out' ? 'timed_out' : 'malformed' }
}

async function startPool(threads: number): Promise<Piscina> {
  // Native libraries are unloaded with the last thread that loaded them, which crashes the process when one is killed in the
  // middle of work; loaded here too they stay.
  const [{ Piscina }] = await Promise.all([import('piscina'), import('sharp'), import('@napi-rs/canvas')])
  return new Piscina({
    filename: workerFile(import.meta.dirname, 'inspect-worker'),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleTimeoutMs,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  })
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
