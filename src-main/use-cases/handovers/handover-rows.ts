import { type ExportFormat, isOfBookings } from '#shared/domain/exports/export-formats'
import type { Language } from '#shared/domain/locales'
import { notFound } from '#shared/domain/errors'
import { translate } from '#shared/i18n/translations'
import type { Reader } from '#main/store/core/store'
import { findHandover } from '#main/store/records/handovers/handovers'
import { type ExportRow, withNames } from '../exports/export-rows'
import { asBooked, bookingOf } from './booked-then'
import { type ChangedExpense, readChangedExpenses } from './changed-rows'
import { fingerprintOf } from './fingerprint-of'
import type { HandoverTask } from './handover-task'

/** The stored values of each expense of a handover: `[expense_id, version, fingerprint, booking]`. */
export type HandedRow = readonly [expense_id: number, version: number, fingerprint: string, booking: string]

/** How to write a correction; `onExpense`: called once for each of its expenses. */
interface CorrectionOptions {
  readonly user_id: number
  readonly withReceipts: boolean
  readonly locale: Language
  readonly format: ExportFormat
  readonly onExpense: (handed: HandedRow) => void
}

const handedRow = (row: ExportRow, organization_id: number): HandedRow => [
  ...([row.expense.id, row.expense.version, fingerprintOf(row)] as const),
  JSON.stringify(bookingOf(row, organization_id)),
]

/**
 * The rows of a correction. For accounting, each changed expense is reversed as it was booked and booked as it is now, so that all files together are
 * right. A list has it as it is now, with zero amounts if it is no longer booked. Throws `not_found`.
 */
export async function* readCorrection(
  reader: Reader,
  { organization_id, corrects }: HandoverTask,
  { onExpense, ...options }: CorrectionOptions,
): AsyncGenerator<ExportRow> {
  const handover = await findHandover(reader, { organization_id, uid: corrects ?? '' })
  if (!handover) throw notFound()
  for await (const changed of readChangedExpenses(reader, handover, options)) {
    yield* isOfBookings(options.format) ? await bookedAgain(reader, changed, options) : [listedNow(changed, options)]
    onExpense(handedRow(changed.row, organization_id))
  }
}

async function bookedAgain(
  reader: Reader,
  { row, handed, then, now }: ChangedExpense,
  { locale, user_id }: Pick<CorrectionOptions, 'locale' | 'user_id'>,
): Promise<ExportRow[]> {
  const rows: ExportRow[] = []
  if (then !== null) {
    const taken = asBooked(row.expense, { ...then, amount_minor: -then.amount_minor })
    const description = translate(locale, 'exports:file.takenBack', { description: row.expense.description ?? '' }).trim()
    const named = await withNames(reader, [{ ...taken, description }], { user_id, withReceipts: false })
    const tags = then.tag === null ? [] : [then.tag]
    rows.push(...named.map((one) => ({ ...one, tags, numberSuffix: `-${handed.version}R` })))
  }
  if (now !== null) rows.push({ ...row, numberSuffix: `-${handed.current_version}` })
  return rows
}

function listedNow({ row, then, now }: ChangedExpense, { locale }: Pick<CorrectionOptions, 'locale'>): ExportRow {
  if (now !== null) return row
  const { expense } = row
  const description =
    expense.deleted_at === null
      ? expense.description
      : translate(locale, 'exports:file.deleted', { description: expense.description ?? '' }).trim()
  const approved_amount_currency = then?.currency ?? expense.currency
  return { ...row, expense: { ...expense, amount_minor: 0, approved_amount_minor: 0, approved_amount_currency, description } }
}

/** Passes rows on, and adds each to `handed`. */
export async function* noted(
  rows: AsyncIterable<ExportRow>,
  handed: HandedRow[],
  { organization_id }: HandoverTask,
): AsyncGenerator<ExportRow> {
  for await (const row of rows) {
    handed.push(handedRow(row, organization_id))
    yield row
  }
}
