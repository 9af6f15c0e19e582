import type { CsvDecimal } from '#shared/domain/csv-cell'
import type { Layout } from '#shared/domain/exports/layout'
import type { Language } from '#shared/domain/locales'
import type { ExportRow } from '../export-rows'

/** What a file says in addition to its rows. */
export interface FileContext {
  /** What was asked for, in the words of who asked; null: everything. */
  readonly title: string | null
  readonly locale: Language
  /** How many expenses there were when the export began. */
  readonly total: number
  readonly made_at: Date
  readonly made_by: string
  /** Of an own format; null for all others. */
  readonly layout: Layout | null
  /** Whether a table without rows says in a row that nothing matched; scripts expect a header alone. */
  readonly saysEmpty: boolean
  /** The decimal sign of CSV; the point, if not given. */
  readonly decimal?: CsvDecimal | undefined
  /** Notes that an expense is written, for a format that counts them itself. Throws where the export was stopped. */
  readonly onDone: () => void
  /** Gives `work` the path of the stored file of a receipt; undefined where it is not here. */
  readonly withFile: <T>(sha256: string, work: (path: string) => Promise<T>) => Promise<T | undefined>
}

/** How expenses are written to a file: in chunks, as they are read. */
export interface Format {
  readonly extension: string
  readonly content_type: string
  readonly withReceipts: boolean
  /** It reads all expenses before it writes the first, and says itself how far it is. */
  readonly countsItself?: true
  write(rows: AsyncIterable<ExportRow>, context: FileContext): AsyncIterable<string | Uint8Array>
}
