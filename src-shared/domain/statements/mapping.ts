/** The meaning of a delimited statement's columns, and its formats of days, amounts and signs. Stored with the card. */
export interface StatementMapping {
  readonly day?: string
  /** One column with signed amounts, or two: outgoing and incoming. */
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
  /** The sign of spent amounts. */
  readonly spent?: SpentSign
}

/** A file's sign of spent amounts. */
export type SpentSign = 'positive' | 'negative'

/** The formats of statements. */
export const statementFormats = ['ofx', 'camt', 'qif', 'csv'] as const
export type StatementFormat = (typeof statementFormats)[number]

/** The columns of a mapping, in the order in which people look for them. */
export const mappedColumns = [
  ...(['day', 'text', 'amount', 'debit', 'credit', 'currency', 'reference', 'original_amount', 'original_currency'] as const),
]
export type MappedColumn = (typeof mappedColumns)[number]
