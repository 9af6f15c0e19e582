import type { ExpenseFilter } from '../../api/expenses'

/** The selected expenses: these, or all that match but these. */
export type ExportedSelection = { readonly count: number } & (
  { readonly ids: readonly number[] } | { readonly except_ids: readonly number[] }
)

/** A list of expenses that can be exported. `words`: what it is narrowed to, for the cover of a file. */
export type ExportableList = {
  readonly filter: ExpenseFilter
  readonly count: number | undefined
  readonly selection?: ExportedSelection | undefined
  readonly words: string
  /** Of which organization they all are: they can be handed over to its accounting. */
  readonly organizationId?: number | null
}
