import { z } from 'zod'
import { perName } from '#shared/contract/attributes'
import { type ImportedText, importedTexts } from '#shared/records/expense'
import { DESCRIPTION_WORDS, MANY_TAGS_WORDS, headerWordsOf, toHeaderWords } from './header-words'
import type { ColumnField, DescriptionPart } from './header-words'
import { formatOverridesSchema } from './table-format'

const columnName = z.string().min(1)
const constant = z.strictObject({ value: z.string().min(1) })
const source = z.union([columnName, constant])
const tagSource = z.union([source, z.strictObject({ column: columnName, separator: z.string().length(1) })])
const columns = z.strictObject({
  receiver: source,
  receiver_email: source.optional(),
  tags: tagSource.optional(),
  occurred_at: columnName,
  amount: columnName,
  currency: source.optional(),
  description: z.union([columnName.transform((part) => [part]), z.array(columnName).min(1)]).optional(),
  external_id: columnName.optional(),
  ...perName(importedTexts, () => source.optional()),
})
/** In a map file null states that there is no column, even if one would be recognised. */
const statedColumns = columns
  .partial()
  .extend({
    receiver_email: columns.shape.receiver_email.nullable(),
    tags: columns.shape.tags.nullable(),
    currency: columns.shape.currency.nullable(),
    description: columns.shape.description.nullable(),
    external_id: columns.shape.external_id.nullable(),
    ...perName(importedTexts, () => source.nullish()),
  })

/**
 * A map file: what each column of a file means, and which parts of its format are not detected. Everything is optional; unstated columns are
 * recognised by name.
 *
 * - A source is a column's name, or `{"value": "BRL"}` for the same text in every row.
 * - `tags` is one tag per cell; `{"column": "Tags", "separator": ","}` is several.
 * - `description` is one part or several, joined by ` · `. A part is a column's name, or a template such as `"{Supplier} ({Tax number})"`; a part
 *   whose columns are all empty is left out.
 * - Under `columns`, null means no column for that attribute.
 * - `currency` is the currency of rows that state none.
 */
export const mapFileSchema = formatOverridesSchema.extend({
  columns: statedColumns.optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  date_order: z.enum(['dmy', 'mdy', 'ymd']).optional(),
  decimal: z.enum([',', '.']).optional(),
})

/** A map file, parsed. */
export type MapFile = z.infer<typeof mapFileSchema>

/** A column's name, or the same text for every row. */
export type ColumnSource = z.infer<typeof source>

/** The meaning of a file's columns, complete: every column it names is in the file. */
export interface ColumnMap {
  kind: 'mapped'
  columns: z.infer<typeof columns>
  currency?: string
  date_order?: 'dmy' | 'mdy' | 'ymd'
  decimal?: ',' | '.'
}

/** Why there is no map: fields without a recognised column, and missing columns that the map file names. */
export interface Unmapped {
  kind: 'unmapped'
  missing: ColumnField[]
  absent: string[]
}

type StatedColumns = NonNullable<MapFile['columns']>
type Columns = Partial<z.infer<typeof columns>>
type SampleRows = readonly Readonly<Record<string, string>>[]

/**
 * Recognises a file's columns by their names (English, Portuguese and Spanish; see `headerWordsOf`) and first rows; the map file takes precedence. A
 * receiver, a day and an amount are required.
 */
export function guessColumnMap(headers: readonly string[], sampleRows: SampleRows, mapFile: MapFile = {}): ColumnMap | Unmapped {
  const stated = mapFile.columns ?? {}
  const absent = namedColumns(stated).filter((name) => !headers.includes(name))
  const { receiver, occurred_at, amount, ...optional } = guessColumns(headers, sampleRows, stated)
  if (receiver === undefined || occurred_at === undefined || amount === undefined || absent.length > 0) {
    const needed = { receiver, occurred_at, amount }
    const missing = (['receiver', 'occurred_at', 'amount'] as const).filter((field) => needed[field] === undefined)
    return { kind: 'unmapped', missing, absent }
  }
  const { currency, date_order, decimal } = mapFile
  return { kind: 'mapped', columns: { ...optional, receiver, occurred_at, amount }, currency, date_order, decimal }
}

/** The columns in a description part: those in braces, or the part itself if there are none. */
export function columnsOfPart(part: string): string[] {
  const named = [...part.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name]) => name ?? [])
  return named.length === 0 ? [part] : named
}

function namedColumns({ tags, description, ...sources }: StatedColumns): string[] {
  const single = Object.values(sources).filter((column) => typeof column === 'string')
  const tagColumn = typeof tags === 'string' ? [tags] : tags && 'column' in tags ? [tags.column] : []
  return [...single, ...tagColumn, ...(description ?? []).flatMap(columnsOfPart)]
}

function guessColumns(headers: readonly string[], sampleRows: SampleRows, stated: StatedColumns): Columns {
  const free = new Map(headers.map((header) => [header, toHeaderWords(header)]))
  for (const name of namedColumns(stated)) free.delete(name)
  const take = (words: readonly string[], looksRight: RegExp): string | undefined => {
    const column = findColumn(free, words, (header) => {
      const fitting = sampleRows.filter((row) => looksRight.test(row[header] ?? ''))
      return fitting.length * 2 >= sampleRows.length
    })
    if (column !== undefined) free.delete(column)
    return column
  }
  const guess = (field: ColumnField): string | undefined => take(headerWordsOf(field), LOOKS_RIGHT[field] ?? /^/)
  const external_id = choose(stated.external_id, () => guess('external_id'))
  const receiver_email = choose(stated.receiver_email, () => guess('receiver_email'))
  const receiver = stated.receiver ?? guess('receiver')
  const occurred_at = stated.occurred_at ?? guess('occurred_at')
  const amount = stated.amount ?? guess('amount')
  const currency = choose(stated.currency, () => guess('currency'))
  const tags = choose(stated.tags, () => toTagSource(guess('tags')))
  const texts: Pick<Columns, ImportedText> = {}
  for (const name of importedTexts) {
    // A tax number without a supplier belongs to the claimant.
    const isOfNobody = name === 'supplier_tax_id' && texts.supplier_name === undefined
    texts[name] = choose(stated[name], () => (isOfNobody ? undefined : guess(name)))
  }
  const takePart = (part: DescriptionPart) => {
    const name = partTexts[part]
    const text = name && texts[name]
    // An export names the column like the attribute, and its descriptions are complete.
    if (text !== undefined && text === name) return undefined
    return typeof text === 'string' ? text : take(DESCRIPTION_WORDS[part], /^/)
  }
  const description = choose(stated.description, () => guessDescription(takePart))
  return { external_id, receiver_email, receiver, occurred_at, amount, currency, tags, ...texts, description }
}

const partTexts: Partial<Record<DescriptionPart, ImportedText>> = { supplier: 'supplier_name', tax_number: 'supplier_tax_id' }

/** The stated value, null for none, otherwise the recognised one. */
function choose<T>(stated: T | null | undefined, guess: () => T | undefined): T | undefined {
  return stated === undefined ? guess() : (stated ?? undefined)
}

/** A column named like an amount or a day counts as one only if at least half its cells look right. */
const LOOKS_RIGHT: Partial<Record<ColumnField, RegExp>> = {
  receiver_email: /^\s*$|@/,
  occurred_at: /^\s*$|\d/,
  amount: /^\s*$|\d/,
  currency: /^\s*$|^\s*[a-z]{3}\s*$/i,
}

/** A column with exactly the first matching word as its name, otherwise the only column with one of the words in its name. */
function findColumn(
  free: ReadonlyMap<string, string>,
  words: readonly string[],
  looksRight: (header: string) => boolean,
): string | undefined {
  const fitting = [...free].filter(([header]) => looksRight(header))
  for (const word of words) {
    const exact = fitting.find(([, name]) => name === word)
    if (exact !== undefined) return exact[0]
  }
  const within = fitting.filter(([, name]) => words.some((word) => word.length > 3 && ` ${name} `.includes(` ${word} `)))
  return within.length === 1 ? within[0]?.[0] : undefined
}

/** Tags of a column: several per cell if its name is plural. */
export function toTagSource(column: string | undefined): Columns['tags'] {
  if (column === undefined) return undefined
  return MANY_TAGS_WORDS.includes(toHeaderWords(column)) ? { column, separator: ',' } : column
}

function guessDescription(take: (part: DescriptionPart) => string | undefined): string[] | undefined {
  const [supplier, taxNumber, document, detail] = (['supplier', 'tax_number', 'document', 'detail'] as const).map(take)
  const parts = [
    supplier !== undefined && taxNumber !== undefined ? `{${supplier}} ({${taxNumber}})` : (supplier ?? taxNumber),
    document === undefined ? undefined : `doc {${document}}`,
    detail,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts
}
