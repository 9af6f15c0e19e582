import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { createChildPool } from '#main/processes/child-pool'
import { workerFile } from '#main/worker-file'
import { codeFormats } from '#shared/codes/facts'
import { capturableTypes } from '#shared/domain/captures'
import { maxPicturePixels } from '#shared/domain/photos'
import { type SignatureCheck, signatureSchema } from '#shared/contract/instance/invoice-checks'
import { matchesDeclaredType, readStart } from './sniff'
import type {
  CapturedFile,
  DeclaredFile,
  FoundCode,
  Inspection,
  InspectionLimits,
  PageTexts,
  Prepared,
  Thumbnail,
  ThumbnailStyle,
  SplitMail,
} from './inspection'

/** Inspects untrusted files in a process that is killed if a file takes too much time or memory. */
export interface Inspector {
  /** @throws if there is no file, or after `close` */
  inspect(file: DeclaredFile): Promise<Inspection>
  /** A picture of the file; undefined if it has none (XML) or it cannot be made. @throws after `close` */
  thumbnail(request: DeclaredFile & { style: ThumbnailStyle }): Promise<Thumbnail | undefined>
  /** Processes a captured file. @throws if there is no file, or after `close` */
  prepare(file: CapturedFile & { keepsLocation: boolean }): Promise<Prepared>
  /** The QR and bar codes in an image or PDF; empty for other and unreadable files. @throws after `close` */
  findCodes(file: DeclaredFile): Promise<FoundCode[]>
  /** The texts of a PDF by their places; undefined if it cannot be read. @throws after `close` */
  readTexts(path: string): Promise<PageTexts | undefined>
  /** Checks the signature in an XML document; unknown if it cannot be read. @throws after `close` */
  checkSignature(text: string): Promise<SignatureCheck>
  /** The files attached to a message on disk. @throws after `close` */
  splitMail(path: string): Promise<SplitMail>
  close(): Promise<void>
}

/** Limits of time, memory and size. Time is per file, without its wait for a process. */
export interface InspectorOptions extends Partial<InspectionLimits> {
  timeoutMs?: number
  processes?: number
  maxMemoryMb?: number
  /** The folder with the root certificates for signatures of invoices. */
  rootsFolder?: string
}

const defaultLimits: InspectionLimits = { maxPixels: maxPicturePixels, maxTiffPages: 200, maxPdfPages: 500, maxXmlDepth: 100 }
const usualMemoryMb = 512
/** Memory should hold no more than two decoded files at once. */
const usualProcesses = Math.min(2, availableParallelism())
/** How much longer processing a capture may take: no request waits for it. */
const timesLonger = { inspect: 1, thumbnail: 1, prepare: 3, splitMail: 3, findCodes: 3, readTexts: 3, checkSignature: 1 }

const size = z.number().optional()
const reason = z.enum(['type_mismatch', 'too_many_pixels', 'too_many_pages', 'malformed', 'doctype', 'timed_out', 'too_complex'])
const refused = z.object({ kind: z.literal('refused'), reason })
const sizes = { width: size, height: size, pages: size }
const nullableText = z.string().nullable()
const invoiceSchema = z.object({
  key: nullableText,
  total_minor: z.int().nullable(),
  currency: nullableText,
  issued_on: nullableText,
  buyer_tax_id: nullableText,
  is_altered: z.boolean().optional(),
})
const inspectionSchema: z.ZodType<Inspection> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ok'), ...sizes, invoice: invoiceSchema.optional(), picture_hash: z.string().optional() }),
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
    left_out: z.array(z.string()),
  }),
  z.object({ kind: z.literal('refused'), reason: z.enum([...reason.options, 'no_attachments']) }),
])
const thumbnailSchema: z.ZodType<Thumbnail | undefined> = z
  .object({ bytes: z.instanceof(Uint8Array), content_type: z.enum(['image/jpeg', 'image/png']), width: z.number(), height: z.number() })
  .optional()

const share = z.number()
const codesSchema: z.ZodType<FoundCode[]> = z.array(
  z.object({
    text: z.string(),
    format: z.enum(codeFormats),
    place: z.object({ page: z.int(), x: share, y: share, width: share, height: share }),
  }),
)

const textsSchema: z.ZodType<PageTexts> = z.array(
  z.array(z.object({ text: z.string(), x: z.number(), y: z.number(), width: z.number(), height: z.number() })),
)

/** The result of a file, or why there is none. */
type Outcome<Result> = { kind: 'done'; result: Result } | { kind: 'refused'; reason: 'timed_out' | 'too_complex' | 'malformed' }

const reasons = { timed_out: 'timed_out', too_large: 'too_complex', died: 'malformed', failed: 'malformed' } as const

/** Makes an inspector; processes start with the first file and end after some idle time. */
export function createInspector(options: InspectorOptions = {}): Inspector {
  const { timeoutMs = 10_000, processes = usualProcesses, maxMemoryMb = usualMemoryMb, rootsFolder, ...given } = options
  const limits: InspectionLimits = { ...defaultLimits, ...given }
  const pool = createChildPool({ file: workerFile(import.meta.dirname, 'inspect-worker'), processes, maxMemoryMb })

  const run = async <Result>(name: keyof typeof timesLonger, task: object, response: z.ZodType<Result>): Promise<Outcome<Result>> => {
    const outcome = await pool.run({ name, task, timeoutMs: timeoutMs * timesLonger[name] })
    if (outcome.kind !== 'done') return { kind: 'refused', reason: reasons[outcome.kind] }
    const { data, success } = response.safeParse(outcome.value)
    return success ? { kind: 'done', result: data } : { kind: 'refused', reason: 'malformed' }
  }

  return {
    inspect: async (file) => {
      const { path, content_type } = file
      if (!(await matchesDeclaredType(await readStart(path), content_type))) return { kind: 'refused', reason: 'type_mismatch' }
      return resultOf(await run('inspect', { file: { path, content_type }, limits }, inspectionSchema))
    },
    thumbnail: async ({ path, content_type, style }) => {
      const outcome = await run('thumbnail', { file: { path, content_type }, style, limits }, thumbnailSchema)
      return outcome.kind === 'done' ? outcome.result : undefined
    },
    prepare: async ({ path, content_type, keepsLocation }) =>
      resultOf(await run('prepare', { file: { path, content_type }, limits, keepsLocation }, preparedSchema)),
    findCodes: async ({ path, content_type }) => {
      const outcome = await run('findCodes', { file: { path, content_type }, limits }, codesSchema)
      return outcome.kind === 'done' ? outcome.result : []
    },
    readTexts: async (path) => {
      const outcome = await run('readTexts', { path, limits }, textsSchema)
      return outcome.kind === 'done' ? outcome.result : undefined
    },
    checkSignature: async (text) => {
      const outcome = await run('checkSignature', { text, limits, roots_folder: rootsFolder }, signatureSchema)
      return outcome.kind === 'done' ? outcome.result : { state: 'unchecked', reason: 'unknown_layout' }
    },
    splitMail: async (path) => resultOf(await run('splitMail', { path }, splitMailSchema)),
    close: () => pool.close(),
  }
}

/** The result of a file; a file whose process crashed is rejected. */
function resultOf<Result>(outcome: Outcome<Result>): Result | Exclude<Outcome<Result>, { kind: 'done' }> {
  return outcome.kind === 'done' ? outcome.result : outcome
}
