import type { ImportedText } from '#shared/records/expense'
import type { NamedClaimant } from './claimants'

/** One expense as a table states it: `amount` is a decimal text, `occurred_at` a day, `line` where it is in the file. */
export interface ImportedExpense extends NamedClaimant, Readonly<Partial<Record<ImportedText, string>>> {
  readonly line: number
  readonly tag_names: readonly string[]
  readonly occurred_at: string
  readonly amount: string
  readonly currency?: string
  readonly description: string
  readonly external_id: string
  /** Whether the file names the row itself: what it says under that name may change from one file to the next. */
  readonly has_own_id?: boolean
  /** Whether the same row came before in the file, under the same identity. */
  readonly is_repeated?: boolean
}
