import type { Row } from '#db/schema'
import { fromMinor } from '#shared/domain/money'
import { purposeOf } from '#shared/domain/suppliers/purchase'
import { tagKey } from '#shared/domain/tags'
import { type ImportedText, importedTexts } from '#shared/records/expense'
import { listTagNamesOf } from '#main/store/records/expenses/expense-reader'
import type { Reader } from '#main/store/core/store'
import { listUsersByIds } from '#main/store/records/users/user-reader'
import type { ImportedExpense } from './read-imported-values'

/** The optional fields of an expense in a file. */
export const optionalAttributes = ['description', ...importedTexts, 'tags'] as const
export type OptionalAttribute = (typeof optionalAttributes)[number]

/** An attribute that differs between file and books. Amounts are in major units, dates are days. */
export interface ImportedChange {
  readonly attribute: string
  readonly from: string | number | null
  readonly to: string | number | null
}

interface Compared {
  readonly expense: Row<'expenses'>
  readonly row: ImportedExpense
  readonly values: Pick<Row<'expenses'>, 'amount_minor' | 'currency' | 'description' | ImportedText>
  /** The row's claimant; undefined if they are not a member yet. */
  readonly receiver_id: number | undefined
  /** The attributes for which the file has a column. */
  readonly stated: ReadonlySet<OptionalAttribute>
}

/** The differences between a row and the expense imported with its identity. A file has only days, so times of day are ignored. */
export async function listImportedChanges(reader: Reader, compared: Compared): Promise<ImportedChange[]> {
  const { expense, row, values, receiver_id, stated } = compared
  const changes: ImportedChange[] = []
  const compare = (attribute: string, from: ImportedChange['from'], to: ImportedChange['to']) => {
    if (from !== to) changes.push({ attribute, from, to })
  }
  if (receiver_id !== expense.receiver_id) {
    const [receiver] = await listUsersByIds(reader, [expense.receiver_id])
    compare('receiver', receiver ? `${receiver.first_name} ${receiver.last_name}`.trim() : null, row.receiver_name)
  }
  compare('occurred_at', expense.occurred_at.slice(0, 10), row.occurred_at)
  // The organization's rule prices a distance, whatever the file says.
  if (expense.kind !== 'distance') {
    compare('amount', fromMinor(expense.amount_minor, expense.currency), fromMinor(values.amount_minor, values.currency))
    compare('currency', expense.currency, values.currency)
  }
  // Earlier imports put the supplier before the description.
  if (stated.has('description') && (purposeOf(expense) || expense.description) !== values.description)
    compare('description', expense.description, values.description)
  for (const name of importedTexts) if (stated.has(name)) compare(name, expense[name], values[name])
  if (stated.has('tags')) {
    const names = (await listTagNamesOf(reader, [expense.id])).get(expense.id) ?? []
    if (toKeys(names) !== toKeys(row.tag_names)) compare('tags', names.join(', '), row.tag_names.join(', '))
  }
  return changes
}

function toKeys(names: readonly string[]): string {
  return JSON.stringify([...new Set(names.map(tagKey))].sort())
}
