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

/** The most exports of one person, including finished ones. */
export const maxExports = 20

/** The most records that an export can name individually. */
export const maxNamedExpenses = 10_000

/**
 * The state of an export: waiting for earlier ones (`waiting`), being written (`running`), ready to download (`finished`), or `failed`, with the
 * reason in `message`.
 */
export const exportStates = ['waiting', 'running', 'finished', 'failed'] as const

/** Why an expense is not in a file for accounting: its status, or an earlier handover. */
export const leftOutReasons = [...expenseStatuses, 'other_currency', 'handed_over'] as const

/**
 * How many of the requested expenses are not in the file, and why: accounting books approved and settled ones. Empty for lists, which leave nothing
 * out.
 */
export const leftOut = z.array(z.object({ reason: z.enum(leftOutReasons), count: z.int() }))
export type LeftOut = z.infer<typeof leftOut>

/**
 * A file of expenses, or of another list's records, that the caller requested (extension). Only they see it; it is removed a day after it was made.
 */
export const exportRepresentation = z
  .object({
    id: z.string(),
    format: z.enum(exportFormats),
    file_name: z.string(),
    state: z.enum(exportStates),
    created_at: instantText,
    finished_at: instantText.nullable(),
    /** How many records are written, and their number at the start; null before. */
    done: z.int(),
    total: z.int().nullable(),
    /** The expenses left out of the file; null until it is finished. */
    left_out: leftOut.nullable(),
    /** The size of the file; null until it is finished. */
    bytes: z.int().nullable(),
    sha256: z.string().nullable(),
    /** Why it failed. */
    message: z.string().nullable(),
    /** The file's address, for a limited time; null until it is finished. */
    url: z.string().nullable(),
  })
  .meta({ id: 'Export' })
export type Export = z.infer<typeof exportRepresentation>

const named = z.array(id, 'invalid').max(maxNamedExpenses, `too_many_operations:${maxNamedExpenses}`).readonly()

/** What to export: a format, and records by the `q` of their list. */
export const exportBody = z.object({
  format: oneOf(exportFormats),
  /** The list; absent: expenses. Other lists are tables: `csv`, `xlsx` or `json`. */
  list: oneOf(exportedLists).optional(),
  /** The list's organization. Lists that span organizations give all of them without it. */
  organization_id: id.optional(),
  /** For suggested expenses: those in this state, as in their list's `status`. */
  state: oneOf(preExpenseStates).optional(),
  q: z.record(z.string(), z.unknown(), 'invalid').optional(),
  /** The export profile: required for the format `profile`; for `datev`, one with the organization's accounts, if there is one. */
  profile_id: id.optional(),
  /** Only these of the matching records. */
  ids: named.optional(),
  /** Without these records. */
  except_ids: named.optional(),
  /** The request in the caller's words, for a file with a cover. */
  title: z.string('invalid').max(1000, 'too_long:1000').optional(),
  /** For `csv`: with `comma`, decimals have a comma and semicolons separate cells. */
  decimal: oneOf(csvDecimals).optional(),
})
export type ExportBody = z.output<typeof exportBody>

const own = { action: 'account.manage', query: nothing } as const
const member = { ...own, path: '/exports/:id', params: z.object({ id: z.string().regex(/^[\w-]{1,64}$/) }) } as const

/** How many expenses a file would have, and which ones it would leave out. */
export const exportCount = z.object({ count: z.int(), left_out: leftOut }).meta({ id: 'ExportCount' })
export type ExportCount = z.infer<typeof exportCount>

/** A layout that is being edited, for a preview with some expenses. */
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
