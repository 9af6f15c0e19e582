/** Which columns of a delimited statement say what, and how it writes days, amounts and signs. Kept with the card. */
export interface StatementMapping {
  readonly day?: string
  /** One column with signed amounts, or two: what went out and what came in. */
  readonly amount?: string
  readonly debit?: string
  readonly credit?: string
  readonly text?: readonly string[]
  readonly reference?: string
  readonly currency?: string
  readonly original_amount?: string
  readonly original_currency?: string
  readonly date_order?: 'dmy' | 'mdy' | 'ymd'
  readonly decimal?: ',' | '.'
  /** The sign of what was spent. */
  readonly spent?: SpentSign
}

/** The sign with which a file writes what was spent. */
export type SpentSign = 'positive' | 'negative'

/** The formats of statements. */
export const statementFormats = ['ofx', 'camt', 'qif', 'csv'] as const
export type StatementFormat = (typeof statementFormats)[number]

/** The columns that a mapping names, in the order in which a person looks for them. */
export const mappedColumns = [
  ...(['day', 'text', 'amount', 'debit', 'credit', 'currency', 'reference', 'original_amount', 'original_currency'] as const),
]
export type MappedColumn = (typeof mappedColumns)[number]
