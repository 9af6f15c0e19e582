import { z } from 'zod'
import { csvDecimals } from '#shared/domain/csv-cell'
import { exportFormats } from '#shared/domain/exports/export-formats'
import { exportedLists } from '#shared/domain/exports/exported-lists'
import { expenseStatuses } from '#shared/domain/expense-status'
import { preExpenseStates } from '#shared/domain/pre-expense-state'
import { id, oneOf } from '../fields'
import { instantText } from '../representations'
import { nothing } from '../requests'
import { route } from '../route'

/** How many exports one person may have at a time, finished ones too. */
export const maxExports = 20

/** How many records an export can name one by one. */
export const maxNamedExpenses = 10_000

/**
 * The state of an export: it waits for the ones before it (`waiting`), is being written (`running`), can be downloaded (`finished`), or
 * could not be written (`failed`): `message` says why.
 */
export const exportStates = ['waiting', 'running', 'finished', 'failed'] as const

/** Why an expense is not in a file for accounting: its status, or that it was handed over before. */
export const leftOutReasons = [...expenseStatuses, 'other_currency', 'handed_over'] as const

/** How many expenses of those asked for are not in the file, and why: accounting books what is approved or settled. Empty for lists, which leave nothing out. */
export const leftOut = z.array(z.object({ reason: z.enum(leftOutReasons), count: z.int() }))
export type LeftOut = z.infer<typeof leftOut>

/** A file of expenses, or of the records of another list, that the caller asked for (extension). Nobody else sees it; it is removed a day after it was made. */
export const exportRepresentation = z
  .object({
    id: z.string(),
    format: z.enum(exportFormats),
    file_name: z.string(),
    state: z.enum(exportStates),
    created_at: instantText,
    finished_at: instantText.nullable(),
    /** How many records are written, and how many there were when it began; null before. */
    done: z.int(),
    total: z.int().nullable(),
    /** What is not in the file; null until it is finished. */
    left_out: leftOut.nullable(),
    /** Of the whole file; null until it is finished. */
    bytes: z.int().nullable(),
    sha256: z.string().nullable(),
    /** Why it failed. */
    message: z.string().nullable(),
    /** Where the file is, for a limited time; null until it is finished. */
    url: z.string().nullable(),
  })
  .meta({ id: 'Export' })
export type Export = z.infer<typeof exportRepresentation>

const named = z.array(id, 'invalid').max(maxNamedExpenses, `too_many_operations:${maxNamedExpenses}`).readonly()

/** What to export: a format, and which records, as their list takes `q`. */
export const exportBody = z.object({
  format: oneOf(exportFormats),
  /** The list; without it, that of expenses. The others are tables: `csv`, `xlsx` or `json`. */
  list: oneOf(exportedLists).optional(),
  /** The organization whose list it is. Lists of several organizations give all without it. */
  organization_id: id.optional(),
  /** Of suggested expenses: those in this state, as their list takes `status`. */
  state: oneOf(preExpenseStates).optional(),
  q: z.record(z.string(), z.unknown(), 'invalid').optional(),
  /** The export profile to write by: needed for the format `profile`; for `datev`, one with the organization's accounts, if it has one. */
  profile_id: id.optional(),
  /** Only these of the matching records. */
  ids: named.optional(),
  /** None of these. */
  except_ids: named.optional(),
  /** What was asked for in the caller's words: a file with a cover shows it. */
  title: z.string('invalid').max(1000, 'too_long:1000').optional(),
  /** Of `csv`: with `comma`, decimals have a comma and semicolons separate the cells. */
  decimal: oneOf(csvDecimals).optional(),
})
export type ExportBody = z.output<typeof exportBody>

const own = { action: 'account.manage', query: nothing } as const
const member = { ...own, path: '/exports/:id', params: z.object({ id: z.string().regex(/^[\w-]{1,64}$/) }) } as const

/** How many expenses a file would have, and what it would leave out. */
export const exportCount = z.object({ count: z.int(), left_out: leftOut }).meta({ id: 'ExportCount' })
export type ExportCount = z.infer<typeof exportCount>

/** A layout that is being made, to see on some expenses. */
const previewBody = z.object({ organization_id: id, layout: z.string('invalid').max(100_000, 'too_long:100000') })

/** The endpoints of exports (extension). */
export const exportRoutes = {
  list: route({
    ...own,
    name: 'exports.list',
    method: 'GET',
    path: '/exports',
    summary: "List the caller's exports of the last day, newest first",
    params: nothing,
    body: nothing,
    response: z.object({ exports: z.array(exportRepresentation) }),
    status: 200,
  }),
  create: route({
    ...own,
    name: 'exports.create',
    method: 'POST',
    path: '/exports',
    summary: 'Export expenses, or the records of another list, that the caller may see; the file is written in the background',
    params: nothing,
    body: exportBody,
    response: exportRepresentation,
    status: 201,
  }),
  count: route({
    ...own,
    name: 'exports.count',
    method: 'POST',
    path: '/exports/count',
    summary: 'Count the expenses that such an export would have, and those that it would leave out',
    params: nothing,
    body: exportBody.omit({ list: true, state: true }),
    response: exportCount,
    status: 200,
  }),
  preview: route({
    ...own,
    name: 'exports.preview',
    method: 'POST',
    path: '/exports/preview',
    summary: "Show the first lines that a layout makes of the caller's newest expenses in an organization",
    params: nothing,
    body: previewBody,
    response: z.object({ lines: z.array(z.string()) }),
    status: 200,
  }),
  show: route({
    ...member,
    name: 'exports.show',
    method: 'GET',
    summary: 'Show how far an export is, and where its file is',
    body: nothing,
    response: exportRepresentation,
    status: 200,
  }),
  destroy: route({
    ...member,
    name: 'exports.destroy',
    method: 'DELETE',
    summary: 'Stop an export and remove its file',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
}
