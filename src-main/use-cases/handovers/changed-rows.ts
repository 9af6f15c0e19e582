import type { Row } from '#db/schema'
import type { ChangedRow } from '#shared/contract/instance/handovers'
import type { ListFilter } from '#shared/contract/filters'
import type { Reader } from '#main/store/core/store'
import { type MovedRow, listMovedRows } from '#main/store/records/handovers/handover-reader'
import { type ExportRow, narrowed, readExportRows } from '../exports/export-rows'
import { fingerprintOf } from './fingerprint-of'

const pageSize = 500
const everything: ListFilter = { conditions: [], search_tags: '', has_tag: undefined, search: undefined }

/** A changed expense as it is now; none where it was deleted. */
export interface ChangedExpense extends ChangedRow {
  readonly row: ExportRow | undefined
}

/** Whose eyes, and with which files. */
interface As {
  readonly user_id: number
  readonly withReceipts: boolean
}

/**
 * The expenses of a handover that are no longer as they were handed over, by id, after one. A status alone is no change. One that was
 * handed over again since is that handover's.
 */
export async function* readChangedExpenses(
  reader: Reader,
  handover: Pick<Row<'handovers'>, 'id'>,
  { after_id = Number.MIN_SAFE_INTEGER, ...as }: As & { after_id?: number | undefined },
): AsyncGenerator<ChangedExpense> {
  for (let after = after_id; ;) {
    const page = await listMovedRows(reader, { handover_id: handover.id, after_id: after, limit: pageSize })
    yield* await changedOf(reader, page, as)
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.expense_id
  }
}

async function changedOf(reader: Reader, moved: readonly MovedRow[], as: As): Promise<ChangedExpense[]> {
  const ids = moved.filter(({ deleted_at }) => deleted_at === null).map(({ expense_id }) => expense_id)
  const rows = new Map<number, ExportRow>()
  if (ids.length > 0)
    for await (const row of readExportRows(reader, { ...as, filter: narrowed(everything, { ids }) })) rows.set(row.expense.id, row)
  return moved.flatMap(({ expense_id, version, fingerprint, current_version, deleted_at }): ChangedExpense[] => {
    const row = rows.get(expense_id)
    const facts = { expense_id, version, current_version }
    if (deleted_at !== null) return [{ ...facts, change: 'deleted', row: undefined }]
    return row === undefined || fingerprintOf(row) === fingerprint ? [] : [{ ...facts, change: 'changed', row }]
  })
}

/** Whether an expense is no longer as it was handed over. */
export async function isChangedSince(
  reader: Reader,
  expense: Row<'expenses'>,
  handed: { handover_id: number; user_id: number },
): Promise<boolean> {
  const before = { handover_id: handed.handover_id, after_id: expense.id - 1, limit: 1 }
  const moved = (await listMovedRows(reader, before)).filter(({ expense_id }) => expense_id === expense.id)
  return (await changedOf(reader, moved, { user_id: handed.user_id, withReceipts: false })).length > 0
}
