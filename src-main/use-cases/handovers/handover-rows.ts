import type { Row } from '#db/schema'
import type { Language } from '#shared/domain/locales'
import { notFound } from '#shared/domain/errors'
import { translate } from '#shared/i18n/translations'
import type { Reader } from '#main/store/core/store'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { findHandover } from '#main/store/records/handovers/handover-reader'
import { type ExportRow, type ExportScope, payerIs, withNames } from '../exports/export-rows'
import { readChangedExpenses } from './changed-rows'
import { fingerprintOf } from './fingerprint-of'
import type { HandoverTask } from './handover-task'

/** The scope of an export, narrowed to what may be handed over. */
export function handedScope(scope: ExportScope, { organization_id, again }: HandoverTask): ExportScope {
  const { conditions, handed_over = [] } = scope.filter
  const filter = { ...scope.filter, conditions: [...conditions, payerIs(organization_id)] }
  return { ...scope, filter: again ? filter : { ...filter, handed_over: [...handed_over, 'no'] } }
}

/** The rows of a correction: the changed expenses as they are now, and the deleted ones, which count for nothing. Throws `not_found`. */
export async function* readCorrection(
  reader: Reader,
  { organization_id, corrects }: HandoverTask,
  { locale, ...scope }: Pick<ExportScope, 'user_id' | 'withReceipts'> & { locale: Language },
): AsyncGenerator<ExportRow> {
  const handover = await findHandover(reader, { organization_id, uid: corrects ?? '' })
  if (!handover) throw notFound()
  for await (const { row, expense_id } of readChangedExpenses(reader, handover, scope)) {
    if (row) yield row
    else yield* await deletedRow(reader, await findExpense(reader, expense_id), { locale, ...scope })
  }
}

async function deletedRow(
  reader: Reader,
  expense: Row<'expenses'> | undefined,
  { locale, user_id }: { locale: Language; user_id: number },
): Promise<ExportRow[]> {
  if (!expense) return []
  const description = translate(locale, 'exports:file.deleted', { description: expense.description ?? '' }).trim()
  const nothing = { amount_minor: 0, approved_amount_minor: null, approved_amount_currency: null, description }
  return withNames(reader, [{ ...expense, ...nothing }], { user_id, withReceipts: false })
}

/** What is stored of each row that passes: `[expense_id, version, fingerprint]`. */
export type HandedRow = readonly [expense_id: number, version: number, fingerprint: string]

/** Passes rows on, and notes each in `handed`. */
export async function* noted(rows: AsyncIterable<ExportRow>, handed: HandedRow[]): AsyncGenerator<ExportRow> {
  for await (const row of rows) {
    handed.push([row.expense.id, row.expense.version, fingerprintOf(row)])
    yield row
  }
}
