import type { ImportedText } from '#shared/records/expense'
import type { NamedClaimant } from './claimants'

/** An expense in a table: `amount` is a decimal text, `occurred_at` a day, `line` its place in the file. */
export interface ImportedExpense extends NamedClaimant, Readonly<Partial<Record<ImportedText, string>>> {
  readonly line: number
  readonly tag_names: readonly string[]
  readonly occurred_at: string
  readonly amount: string
  readonly currency?: string
  readonly description: string
  readonly external_id: string
  /** Whether the file itself identifies the row: its values may change from one file to the next. */
  readonly has_own_id?: boolean
  /** Whether the same row appeared earlier in the file, with the same identity. */
  readonly is_repeated?: boolean
}
