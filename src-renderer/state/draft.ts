import { v7 } from 'uuid'
import { z } from 'zod'
import { perName } from '#shared/contract/attributes'
import type { Capture } from '#shared/contract/captures'
import { plainFields } from '#shared/records/expense'
import { distanceKinds } from '#shared/domain/distance'
import { uploadRefusals } from '#shared/domain/upload-refusals'
import { parseAmountInput, parseDistance } from '#shared/domain/amount-text'
import type { Language } from '#shared/domain/locales'
import { parseDateInput } from './date-input'

const formSchema = z.object({
  kind: z.enum(['monetary', 'distance']),
  payer_id: z.number().nullable(),
  receiver_id: z.number().nullable(),
  card_id: z.number().nullable().default(null),
  amount: z.string(),
  currency: z.string(),
  date: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  // A draft that was kept before there was such a field has nothing in it.
  ...perName(plainFields, () => z.string().default('')),
  advancement: z.boolean(),
  origin: z.string(),
  destination: z.string(),
  distance: z.string(),
  distance_kind: z.enum(distanceKinds),
})

/** The typed fields of an expense, unparsed; `receiver_id` null means the user themselves. */
export type DraftForm = z.infer<typeof formSchema>

/** Why the server does not take a file, in its words where the code says nothing more. */
export const refusalSchema = z.object({ code: z.enum(uploadRefusals), reason: z.string() })

const fileSchema = z.object({
  id: z.string(),
  name: z.string(),
  content_type: z.string(),
  bytes: z.number(),
  /** Where the server keeps it; null until it is uploaded. */
  upload: z.string().nullable(),
  /** How often it was uploaded: each upload is attached under a separate key. */
  uploads: z.number(),
  is_attached: z.boolean(),
  /** Its capture: then the server has its bytes, and this device has none. */
  capture_id: z.number().nullable().default(null),
  /** Why the server does not take it; null while it may. */
  refusal: refusalSchema.nullable().default(null),
})

/** A receipt of a draft; its bytes are on this device, or with the server as a capture. */
export type DraftFile = z.infer<typeof fileSchema>

const draftSchema = z.object({
  /** A UUIDv7: drafts sort by when they were begun. */
  id: z.string(),
  user_uid: z.string(),
  form: formSchema,
  files: z.array(fileSchema),
  stage: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('editing') }),
    /** Submitted: the request and its idempotency key stay until the response arrives. */
    z.object({ kind: z.literal('sending'), key: z.string(), body: z.record(z.string(), z.unknown()) }),
    /** The expense is there; receipts are still on their way. */
    z.object({ kind: z.literal('recorded'), expense_id: z.number() }),
  ]),
  /** What was filled in from receipts, by field: it is not filled again once a person took it out. */
  read: z.record(z.string(), z.string()).default({}),
  /** What the server said of each attribute when it refused the draft. */
  refused: z.record(z.string(), z.array(z.string())),
  is_discarded: z.boolean(),
})

/** An expense that is not yet recorded, kept on this device. */
export type Draft = z.infer<typeof draftSchema>

/** A stored draft; undefined when it cannot be understood. */
export function parseDraft(stored: unknown): Draft | undefined {
  return draftSchema.safeParse(stored).data
}

/** A new identifier, unique everywhere and sorting by time. */
export function newUid(): string {
  return v7()
}

/** The least identifier of as many days ago: those made before it are smaller. */
export function uidDaysAgo(days: number): string {
  const madeMs = parseInt(newUid().replaceAll('-', '').slice(0, 12), 16)
  const hex = (madeMs - days * 86_400_000).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

/** What a new draft takes over from the last one. */
export type DraftDefaults = Pick<DraftForm, 'payer_id' | 'currency' | 'tags' | 'distance_kind'> & Partial<Pick<DraftForm, 'card_id'>>

/** A draft with nothing typed. */
export function createDraft(user_uid: string, defaults: DraftDefaults): Draft {
  const blank = { amount: '', date: '', description: '', origin: '', destination: '', distance: '', ...perName(plainFields, () => '') }
  const form: DraftForm = { kind: 'monetary', receiver_id: null, card_id: null, advancement: false, ...blank, ...defaults }
  return { id: newUid(), user_uid, form, files: [], stage: { kind: 'editing' }, read: {}, refused: {}, is_discarded: false }
}

const typedFields = ['amount', 'date', 'description', 'origin', 'destination', 'distance', ...plainFields] as const

/** Whether the draft has anything that could be lost. */
export function isBlank({ form, files }: Draft): boolean {
  return files.length === 0 && typedFields.every((field) => form[field].trim() === '')
}

/** A capture as a receipt of a draft. */
export function toReceipt({ id, file_name, content_type, bytes }: Capture): DraftFile {
  return { id: newUid(), name: file_name, content_type, bytes, upload: null, uploads: 0, is_attached: false, capture_id: id, refusal: null }
}

/** The captures that drafts have as receipts. */
export function capturesIn(drafts: readonly Draft[]): Set<number> {
  return new Set(drafts.flatMap(({ files }) => files.flatMap(({ capture_id }) => capture_id ?? [])))
}

/** Two drafts and more out of one, each with one receipt; the first keeps what was typed, all share payer, tags and currency. */
export function splitByFile(draft: Draft): Draft[] {
  const { payer_id, currency, tags, distance_kind } = draft.form
  return draft.files.map((file, index) => {
    if (index === 0) return { ...draft, files: [file] }
    return { ...createDraft(draft.user_uid, { payer_id, currency, tags, distance_kind }), files: [file] }
  })
}

/** Why a field cannot be sent; the texts of both languages have it under this name. */
export type FieldProblem = 'blank' | 'not_a_number' | 'too_precise' | 'too_large' | 'not_positive' | 'not_a_date' | 'reason'

/** A form as the request of an expense, or its errors by the contract's name of the attribute. */
export type FormReading =
  | { readonly kind: 'ok'; readonly body: Readonly<Record<string, unknown>> }
  | { readonly kind: 'invalid'; readonly problems: Readonly<Record<string, FieldProblem>> }

/** Reads a form. `today` is `YYYY-MM-DD` where the user is. */
export function readForm(form: DraftForm, { language, today }: { language: Language; today: string }): FormReading {
  const problems: Record<string, FieldProblem> = {}
  const note = (attribute: string, kind: FieldProblem | 'empty' | 'ok') => {
    if (kind !== 'ok') problems[attribute] = kind === 'empty' ? 'blank' : kind
  }
  const date = parseDateInput(form.date, today)
  note('occurred_at', date.kind)
  if (form.payer_id === null) note('payer', 'blank')
  const money = form.kind === 'monetary' ? readMoney(form, language, note) : readDistance(form, language, note)
  if (Object.keys(problems).length > 0 || date.kind !== 'ok') return { kind: 'invalid', problems }
  return {
    kind: 'ok',
    body: {
      payer: { id: form.payer_id, type: 'Organization' },
      ...(form.receiver_id === null ? {} : { receiver: { id: form.receiver_id, type: 'User' } }),
      ...(form.card_id === null || form.kind === 'distance' ? {} : { corporative_card_id: form.card_id }),
      kind: form.kind,
      occurred_at: date.date,
      description: form.description.trim() || null,
      tags: form.tags,
      ...perName(plainFields, (name) => form[name].trim() || null),
      liquidate_through_advancement: form.advancement,
      ...money,
    },
  }
}

type Note = (attribute: string, kind: FieldProblem | 'empty' | 'ok') => void

function readMoney({ amount: text, currency }: DraftForm, language: Language, note: Note) {
  const amount = parseAmountInput(text, { currency, language })
  note('amount', amount.kind)
  return { amount: amount.kind === 'ok' ? amount.amount : null, currency }
}

function readDistance({ distance: text, distance_kind, origin, destination }: DraftForm, language: Language, note: Note) {
  const distance = parseDistance(text, language)
  if (distance === undefined) note('distance', text.trim() === '' ? 'empty' : 'not_a_number')
  return { distance, distance_kind, origin: origin.trim() || null, destination: destination.trim() || null }
}
