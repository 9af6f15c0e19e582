import type { Generated } from 'kysely'

/** What receipts say, by the hash of their file. `fields`: JSON of readings; null until it is read. */
export interface ReceiptReadingTable {
  sha256: string
  engine: string | null
  tries: Generated<number>
  fields: string | null
  state: Generated<'waiting' | 'read' | 'gave_up' | 'unreadable'>
}
