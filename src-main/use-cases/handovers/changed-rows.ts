import type { Row } from '#db/schema'
import type { ListFilter } from '#shared/contract/filters'
import type { Reader } from '#main/store/core/store'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { type MovedRow, listMovedRows } from '#main/store/records/handovers/handovers'
import { type ExportRow, narrowed, readExportRows, withNames } from '../exports/export-rows'
import { type Booking, bookingOf, bookingThen } from './booked-then'
import { fingerprintOf } from './fingerprint-of'

const pageSize = 500
const everything: ListFilter = { conditions: [], search_tags: '', has_tag: undefined, search: undefined }

/** A changed expense: its current state, the handover's booking, and the current one; null: none. */
export interface ChangedExpense {
  readonly row: ExportRow
  readonly handed: Pick<MovedRow, 'version' | 'current_version'>
  readonly then: Booking | null
  readonly now: Booking | null
}

/** For whom, and with which files. */
interface As {
  readonly user_id: number
  readonly withReceipts: boolean
}

/**
 * The changed expenses of a handover, by id, after one: those that are no longer booked the same way, or whose texts in the file differ. A status
 * change alone counts only if it ends a booking. An expense that was handed over again belongs to that handover.
 */
export async function* readChangedExpenses(
  reader: Reader,
  handover: Pick<Row<'handovers'>, 'id' | 'organization_id'>,
  { after_id = Number.MIN_SAFE_INTEGER, ...as }: As & { after_id?: number | undefined },
): AsyncGenerator<ChangedExpense> {
  for (let after = after_id; ;) {
    const page = await listMovedRows(reader, { handover_id: handover.id, after_id: after, limit: pageSize })
    yield* await changedOf(reader, page, { ...as, ...handover })
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.expense_id
  }
}

async function changedOf(
  reader: Reader,
  moved: readonly MovedRow[],
  { organization_id, ...as }: As & { organization_id: number },
): Promise<ChangedExpense[]> {
  const rows = new Map<number, ExportRow>()
  const ids = moved.map(({ expense_id }) => expense_id)
  if (ids.length > 0)
    for await (const row of readExportRows(reader, { ...as, filter: narrowed(everything, { ids }) })) rows.set(row.expense.id, row)
  const changed: ChangedExpense[] = []
  for (const handed of moved) {
    const row = rows.get(handed.expense_id) ?? (await goneRow(reader, handed.expense_id, as))
    if (!row) continue
    const [then, now] = [await bookingThen(reader, handed, row), bookingOf(row, organization_id)]
    const isSame = JSON.stringify(then) === JSON.stringify(now)
    if (!isSame || (now !== null && fingerprintOf(row) !== handed.fingerprint)) changed.push({ row, handed, then, now })
  }
  return changed
}

/** An expense that was deleted or has another payer now, whose texts this organization may not see. */
async function goneRow(reader: Reader, id: number, as: As): Promise<ExportRow | undefined> {
  const expense = await findExpense(reader, id)
  if (!expense) return undefined
  const texts = expense.deleted_at === null ? { description: null, supplier_name: null, location: null, justification: null } : {}
  const [row] = await withNames(reader, [{ ...expense, ...texts }], { ...as, withReceipts: false })
  return row
}

/** Whether an expense has changed since it was handed over. */
export async function isChangedSince(
  reader: Reader,
  { id, payer_id: organization_id }: Row<'expenses'>,
  handed: { handover_id: number; user_id: number },
): Promise<boolean> {
  const moved = await listMovedRows(reader, { handover_id: handed.handover_id, after_id: id - 1, limit: 1 })
  const own = moved.filter(({ expense_id }) => expense_id === id)
  return (await changedOf(reader, own, { user_id: handed.user_id, withReceipts: false, organization_id })).length > 0
}
