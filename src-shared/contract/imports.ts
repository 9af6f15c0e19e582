import { z } from 'zod'
import { isCurrency } from '#shared/domain/currencies'
import { importedTexts } from '#shared/records/expense'
import { perName } from './attributes'
import { flag } from './fields'
import { instantText } from './representations'
import { nothing, organizationParams } from './requests'
import { route } from './route'

/** The largest uploaded file of expenses, in bytes: some four million rows. The command line reads any size. */
export const maxImportBytes = 512 * 1024 * 1024

/** The most problems, and changes, that are listed individually; the rest is counted. */
export const maxReportedLines = 1000

/** The most files of one organization that wait to be imported. */
export const maxOpenImports = 5

/** The attributes that a file's column can contain, in the order in which people look for them. */
export const importFields = [
  'receiver',
  'receiver_email',
  'occurred_at',
  'amount',
  'currency',
  'tags',
  'description',
  ...importedTexts,
  'external_id',
] as const
export type ImportField = (typeof importFields)[number]

/** The attributes that every row must have. */
export const neededImportFields: ReadonlySet<ImportField> = new Set(['receiver', 'occurred_at', 'amount'])

const columnName = z.string('invalid').min(1, 'blank').max(1000, 'too_long:1000')
const columnChoices = z.strictObject(
  {
    receiver: columnName.optional(),
    receiver_email: columnName.nullish(),
    occurred_at: columnName.optional(),
    amount: columnName.optional(),
    currency: columnName.nullish(),
    tags: columnName.nullish(),
    description: columnName.nullish(),
    ...perName(importedTexts, () => columnName.nullish()),
    external_id: columnName.nullish(),
  } satisfies Record<ImportField, z.ZodType>,
  'invalid',
)

/** A person's choices for a file; absent ones are detected, as on the command line without a map file. */
export const importOptions = z.strictObject(
  {
    /** The column of each attribute; null: no column, even if one would be recognised. */
    columns: columnChoices.optional(),
    /** The currency of rows that state none; absent: the uploader's default currency. */
    currency: z.string('invalid').refine(isCurrency, 'inclusion').optional(),
    date_order: z.enum(['dmy', 'mdy', 'ymd'], 'inclusion').optional(),
    decimal: z.enum([',', '.'], 'inclusion').optional(),
    /** Whether expenses that differ from the file get its values. */
    update: flag.optional(),
  },
  'invalid',
)
export type ImportOptions = z.output<typeof importOptions>

/** One of a file's first rows; amounts are decimal texts. */
const importedRow = z.object({
  row: z.int(),
  receiver: z.string(),
  occurred_at: z.string(),
  amount: z.string(),
  currency: z.string(),
  tags: z.array(z.string()),
  description: z.string(),
})

/** How a file is read: its columns, and the source of each attribute. */
const importedTable = z.object({
  headers: z.array(z.string()),
  /** The column of each attribute; a constant value for every row is in quotes. */
  columns: z.partialRecord(z.enum(importFields), z.string()),
  encoding: z.string(),
  delimiter: z.string(),
  date_order: z.enum(['dmy', 'mdy', 'ymd']),
  decimal: z.enum([',', '.']),
  first_rows: z.array(importedRow),
})
export type ImportedTable = z.infer<typeof importedTable>

/** The results, or expected results, for a file's rows. Each row is imported, updated, skipped or rejected. */
const importSummary = z.object({
  rows: z.int(),
  imported: z.int(),
  updated: z.int(),
  skipped: z.int(),
  refused: z.int(),
  /** The number of problems, of which the first `maxReportedLines` are listed: a row may have several. */
  problems: z.int(),
  /** The number of rows that differ from their expenses, of which as many are listed; those that were not updated count as skipped. */
  changed: z.int(),
  /** The imported amounts, in major units by currency. */
  total: z.record(z.string(), z.number()),
})
export type ImportSummary = z.infer<typeof importSummary>

/**
 * The state of a file: being read (`reading`), ready to import (`ready`), unreadable (`unreadable`), being imported, imported, or interrupted:
 * importing it again completes it.
 */
export const importStates = ['reading', 'ready', 'unreadable', 'importing', 'interrupted', 'finished'] as const

/** An uploaded file of expenses to import (extension). It is removed a week after its last use. */
export const importRepresentation = z
  .object({
    id: z.string(),
    organization_id: z.int(),
    user_id: z.int(),
    file_name: z.string(),
    bytes: z.int(),
    state: z.enum(importStates),
    created_at: instantText,
    options: importOptions.omit({ update: true }).extend({ update: z.boolean() }),
    /** How many rows of the current pass are done. */
    done: z.int(),
    /** Why the file cannot be read, or the import could not continue; null if there is no problem. */
    message: z.string().nullable(),
    /** The names of the columns that can be read. */
    headers: z.array(z.string()),
    table: importedTable.nullable(),
    /** Before the import the expected results, afterwards the results. */
    report: importSummary.nullable(),
    /** When the import began; null before. */
    started_at: instantText.nullable(),
    /** When its last row was stored; null before. Everything it imported was recorded between the two. */
    finished_at: instantText.nullable(),
  })
  .meta({ id: 'Import' })
export type Import = z.infer<typeof importRepresentation>

/** A row that is not imported: `row` is its line in the file, `column` null for the whole line. */
const importProblem = z.object({ row: z.int(), column: z.string().nullable(), reason: z.string() })
export type ImportProblem = z.infer<typeof importProblem>

const changedValue = z.union([z.string(), z.number()]).nullable()
/** A row whose expense has other values. */
export const importChange = z.object({
  row: z.int(),
  external_id: z.string(),
  expense_id: z.int(),
  changes: z.array(z.object({ attribute: z.string(), from: changedValue, to: changedValue })),
})
export type ImportChange = z.infer<typeof importChange>

const own = { action: 'expenses.import', query: nothing } as const
const collection = { ...own, path: '/organizations/:organization_id/imports', params: organizationParams } as const
const memberParams = organizationParams.extend({ id: z.string().regex(/^[\w-]{1,64}$/) })
const member = { ...own, path: '/organizations/:organization_id/imports/:id', params: memberParams } as const
/** `after`: where the page begins: the earlier page's `next`. */
const lineQuery = z.object({
  after: z
    .string('invalid')
    .regex(/^\d{1,15}$/, 'invalid')
    .transform(Number)
    .optional(),
})
const next = z.int().nullable()

/** The endpoints of imports (extension). */
export const importRoutes = {
  list: route({
    ...collection,
    name: 'imports.list',
    method: 'GET',
    summary: 'List the files that an organization has to import, or imported lately, newest first',
    body: nothing,
    response: z.object({ imports: z.array(importRepresentation) }),
    status: 200,
  }),
  create: route({
    ...collection,
    name: 'imports.create',
    method: 'POST',
    summary: 'Upload a file of expenses: the body is its bytes; nothing is imported yet',
    query: z.object({ file_name: z.string('invalid').max(1000, 'too_long:1000').optional() }),
    body: z.string(),
    response: importRepresentation,
    media: { request: 'application/octet-stream' },
    status: 201,
  }),
  show: route({
    ...member,
    name: 'imports.show',
    method: 'GET',
    summary: 'Show what would become, or became, of a file',
    body: nothing,
    response: importRepresentation,
    status: 200,
  }),
  replace: route({
    ...member,
    name: 'imports.replace',
    method: 'PUT',
    summary: 'Say how to read a file; it is read again',
    body: importOptions,
    response: importRepresentation,
    status: 200,
  }),
  run: route({
    ...member,
    path: '/organizations/:organization_id/imports/:id/run',
    name: 'imports.run',
    method: 'POST',
    summary: 'Import a file as it was previewed; one that is being imported, or was, is answered as it is',
    body: nothing,
    response: importRepresentation,
    status: 200,
  }),
  destroy: route({
    ...member,
    name: 'imports.destroy',
    method: 'DELETE',
    summary: 'Stop an import and remove its file; the expenses that were imported stay',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
  problems: route({
    ...member,
    path: '/organizations/:organization_id/imports/:id/problems',
    name: 'imports.problems',
    method: 'GET',
    summary: 'List the rows that are not imported, in the order of the file',
    query: lineQuery,
    body: nothing,
    response: z.object({ problems: z.array(importProblem), next }),
    status: 200,
  }),
  changes: route({
    ...member,
    path: '/organizations/:organization_id/imports/:id/changes',
    name: 'imports.changes',
    method: 'GET',
    summary: 'List the rows that differ from their expenses, in the order of the file',
    query: lineQuery,
    body: nothing,
    response: z.object({ changes: z.array(importChange), next }),
    status: 200,
  }),
}
