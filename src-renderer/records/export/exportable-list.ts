import type { OtherList } from '#shared/domain/exports/exported-lists'
import type { PreExpenseState } from '#shared/domain/pre-expense-state'

/** The selected records: these, or all that match but these. */
export type ExportedSelection = { readonly count: number } & (
  { readonly ids: readonly number[] } | { readonly except_ids: readonly number[] }
)

type Exportable = {
  readonly filter: Readonly<Record<string, unknown>>
  readonly count: number | undefined
  readonly selection?: ExportedSelection | undefined
}

/** A list of expenses that can be exported. `words`: what it is narrowed to, for the cover of a file. */
export type ExportableExpenses = Exportable & {
  readonly words: string
  /** Of which organization they all are: they can be handed over to its accounting. */
  readonly organizationId?: number | null
  readonly of?: undefined
}

/** Another list, or several of which one is exported. `organizationId`: whose it is; null: of all. `state`: of suggested expenses. */
export type ExportableTable = Exportable & {
  readonly of: readonly [OtherList, ...OtherList[]]
  readonly organizationId: number | null
  readonly state?: PreExpenseState
}

/** A list that can be exported. */
export type ExportableList = ExportableExpenses | ExportableTable
