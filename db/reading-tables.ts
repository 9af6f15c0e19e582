import type { Generated } from 'kysely'

/**
 * What receipts say, by the hash of their file. `fields`: JSON of readings; null until it is read. `said`: the day and the total, where both
 * are sure; `seller`: whose tax number it has, where that is sure.
 */
export interface ReceiptReadingTable {
  sha256: string
  engine: string | null
  tries: Generated<number>
  fields: string | null
  said: string | null
  seller: string | null
  state: Generated<'waiting' | 'read' | 'gave_up' | 'unreadable'>
}
