import type { Generated } from 'kysely'

/** A signed proof of the entries of one chain of the audit trail; `organization_id` 0: those of no organization. */
interface AuditSealTable {
  id: Generated<number>
  organization_id: number
  number: number
  first_id: number
  last_id: number
  entries: number
  /** Entries of the chain up to the end of this seal. */
  total: number
  root: string
  previous: string
  sealed_at: string
  public_key: string
  signature: string
  head: string
}

/** What proves a sealed entry in addition to itself: the file that it names, and the salt of details about a person. */
interface AuditPartTable {
  activity_id: number
  sha256: string | null
  salt: string | null
  details_hash: string | null
}

/** What proves the audit trail. */
export interface AuditTables {
  audit_seals: AuditSealTable
  audit_parts: AuditPartTable
}
