import type { Generated } from 'kysely'

/** A message of the mailbox of receipts. `sha256`: of a message that was taken whole; `reason`: why it went to nobody. */
export interface ReceivedMailTable {
  id: Generated<number>
  mailbox: string
  uid_validity: string
  uid: number
  sha256: string | null
  user_id: number | null
  capture_id: number | null
  reason: 'unknown_sender' | 'unproven' | 'too_large' | 'repeated' | null
  sender: string | null
  subject: string | null
  received_at: string
}
