import { z } from 'zod'
import { isCurrency } from '#shared/domain/currencies'
import { parseInstant } from '#shared/domain/dates'
import { toBareTaxId } from '#shared/domain/policies/invoices'
import { expenseKinds } from '#shared/domain/policies/terms'
import { type TagNames, maxTagName, parseTagNames } from '#shared/domain/tags'
import { isCnpj, isCpf } from '#shared/domain/tax-ids'

/**
 * The kinds of attributes in requests. A schema's message is the code of a text (`blank`, `invalid`, …), which is translated when the response is
 * written (supplement, "Validation texts").
 */
const absent = (input: unknown): boolean => input === undefined || input === null
const blankOr = (code: string) => (issue: { input?: unknown }) => (absent(issue.input) ? 'blank' : code)

/** Text that must not be blank. */
export const requiredText = (max = 255) =>
  z
    .string({ error: blankOr('invalid') })
    .trim()
    .min(1, 'blank')
    .max(max, `too_long:${max}`)

/** Optional text; blank text is stored as null. */
export const optionalText = (max = 10_000) =>
  z
    .string('invalid')
    .max(max, `too_long:${max}`)
    .transform((text) => (text.trim() === '' ? null : text))
    .nullable()
    .meta({ type: ['string', 'null'] })

const isId = (value: number): boolean => value !== 0

/** An integer id; a negative one is the provisional id of a record that a replica made without a lease. */
export const id = z.int({ error: blankOr('invalid') }).refine(isId, 'invalid')

/** An integer id that may be null. */
export const optionalId = z.int('invalid').refine(isId, 'invalid').nullable()

/** The ids of at most this many records. */
export const ids = (most: number) => z.array(id, 'invalid').max(most, 'invalid')

const listed = {
  tags: id,
  users: id,
  currencies: currencyCode(),
  dates: z
    .string('invalid')
    .regex(/^\d{4}-\d\d-\d\d$/, 'invalid')
    .refine((text) => parseInstant(text) !== undefined, 'invalid'),
  kinds: z.enum(expenseKinds, 'inclusion'),
  tax_ids: z
    .string('invalid')
    .transform(toBareTaxId)
    .refine((text) => isCnpj(text) || isCpf(text), 'invalid'),
}

/** Several values, each once, in the given order. Null stands for an empty list. */
export const list = ({ of, most }: { of: keyof typeof listed; most: number }) =>
  z
    .array<z.ZodType<string | number>>(listed[of], 'invalid')
    .max(most, 'invalid')
    .nullable()
    .transform((values) => [...new Set(values ?? [])])
    .meta({ type: ['array', 'null'] })

/** An amount in major units, as a JSON number or decimal text. Its decimals depend on the currency and are checked with it. */
export const amount = z
  .union([z.number(), z.string().regex(/^\s*-?\d+(\.\d+)?\s*$/, { error: ({ input }) => (input === '' ? 'blank' : 'not_a_number') })], {
    error: (issue) => (absent(issue.input) || issue.input === '' ? 'blank' : 'not_a_number'),
  })
  .meta({ type: ['number', 'string'], description: 'Major units of the currency' })

/** An ISO 4217 code. */
export const currency = currencyCode()

/** An ISO 8601 date or datetime, as its UTC instant. */
export const instant = z
  .string({ error: blankOr('invalid') })
  .min(1, 'blank')
  .transform((text, context) => {
    const parsed = parseInstant(text)
    if (parsed !== undefined) return parsed
    context.addIssue({ code: 'custom', message: 'invalid' })
    return z.NEVER
  })
  .meta({ type: 'string', description: 'ISO 8601 date or datetime, UTC' })

/** A boolean; also accepts 0, 1 and the texts "0", "1", "true", "false". */
export const flag = z
  .union([z.boolean(), z.literal([0, 1, '0', '1', 'true', 'false'])], { error: blankOr('invalid') })
  .transform((value) => value === true || value === 1 || value === '1' || value === 'true')
  .meta({ description: 'A boolean; 0, 1 and the texts "0", "1", "true" and "false" are understood too' })

/** A number that is not an amount, such as a coordinate or a distance. */
export const number = (range: { min?: number; max?: number } = {}) =>
  z
    .number('not_a_number')
    .min(range.min ?? -Number.MAX_VALUE, 'invalid')
    .max(range.max ?? Number.MAX_VALUE, 'invalid')
    .nullable()

/** Tag names: an array is parsed here. Only the organization's tags tell how to split a text, so it stays a text (`splitTagNames`). */
export const tags = z
  .union(
    [
      z
        .array(z.string().max(maxTagName, `too_long:${maxTagName}`))
        .max(100)
        .transform(parseTagNames),
      z.string().max(10_000),
      z.null().transform((): readonly string[] => []),
    ],
    'invalid',
  )
  .transform((value): TagNames => value)
  .meta({ type: ['array', 'string'], items: { type: 'string' } })

/**
 * A logo or avatar to set, by its upload's Location, or to remove (contract 4.17). Image entries of a representation that is sent back change
 * nothing.
 */
export const image = z
  .union(
    [z.object({ file: z.string('invalid').nullable().optional(), _destroy: flag.optional() }), z.array(z.unknown()), z.null()],
    'invalid',
  )
  .transform((value): { file?: string | null; _destroy?: boolean } => (Array.isArray(value) || value === null ? {} : value))
  .meta({ type: 'object', properties: { file: { type: 'string' }, _destroy: { type: 'boolean' } } })

/** A reference to an organization or a user (contract 2.1, "Party reference"). */
export const party = <T extends 'Organization' | 'User'>(type: T) =>
  z
    .object({ id, type: z.literal(type, 'invalid').optional() }, { error: blankOr('invalid') })
    .transform((reference) => reference.id)
    .meta({ type: 'object', properties: { id: { type: 'integer' }, type: { type: 'string', enum: [type] } }, required: ['id', 'type'] })

/** One of a fixed list of texts. */
export const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values, { error: blankOr('inclusion') })

function currencyCode() {
  return z
    .string({ error: blankOr('invalid') })
    .min(1, { error: 'blank', abort: true })
    .refine(isCurrency, 'inclusion')
    .meta({ description: 'ISO 4217' })
}
