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
  /** The balance after each line. */
  readonly balance?: string
  /** Whether a line is booked, pending or declined. */
  readonly status?: string
  /** A column that says debit or credit. */
  readonly direction?: string
  /** The account or card of each line. */
  readonly account?: string
  readonly date_order?: 'dmy' | 'mdy' | 'ymd'
  readonly decimal?: ',' | '.'
  /** The sign of spent amounts. */
  readonly spent?: SpentSign
}

/** A file's sign of spent amounts. */
export type SpentSign = 'positive' | 'negative'

/** The formats of statements. */
export const statementFormats = ['ofx', 'camt', 'qif', 'csv', 'mt940', 'xlsx', 'pdf'] as const
export type StatementFormat = (typeof statementFormats)[number]
/** Those that are tables of any layout, whose columns are to be found. */
export const columnFormats: ReadonlySet<StatementFormat> = new Set(['csv', 'xlsx', 'pdf'])

/** The mappings of a card's earlier statements, by format. */
export type KeptMappings = Readonly<Partial<Record<StatementFormat, StatementMapping>>>

/** Why a row of a file is no line of the card. */
export const leftOutReasons = ['pending', 'declined', 'reverted', 'other_account', 'total', 'no_booking'] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

/** The columns of a mapping, in the order in which people look for them. */
export const mappedColumns = [
  ...(['day', 'text', 'amount', 'debit', 'credit', 'direction', 'balance', 'currency', 'reference'] as const),
  ...(['original_amount', 'original_currency', 'status', 'account'] as const),
]
export type MappedColumn = (typeof mappedColumns)[number]
