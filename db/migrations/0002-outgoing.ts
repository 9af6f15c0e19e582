import { type Kysely, sql } from 'kysely'

const statements = [
  `ALTER TABLE user_emails ADD COLUMN bounced_at TEXT`,
  `ALTER TABLE invitations ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE invitations ADD COLUMN next_attempt_at TEXT`,
  `ALTER TABLE invitations ADD COLUMN last_error TEXT`,
  `CREATE INDEX invitations_unsent ON invitations (id) WHERE sent_at IS NULL AND accepted_at IS NULL AND deleted_at IS NULL`,
  `CREATE INDEX invitations_list ON invitations (organization_id, created_at, id) WHERE accepted_at IS NULL AND deleted_at IS NULL`,
  `CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (webhook_id, created_at, id)`,
  `DROP INDEX webhook_deliveries_queue`,
  `CREATE INDEX webhook_deliveries_queue ON webhook_deliveries (state, webhook_id, id) WHERE state = 'waiting'`,
  `CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL`,
  `CREATE INDEX notifications_sent ON notifications (sent_at) WHERE sent_at IS NOT NULL`,
  `CREATE INDEX expenses_joinable ON expenses (payer_id, receiver_id, approved_amount_currency, id)
    WHERE deleted_at IS NULL AND status = 'approved' AND reimbursement_id IS NULL AND liquidate_through_advancement = 0`,
  `CREATE INDEX accountabilities_status ON accountabilities (payer_id, status, created_at, id) WHERE deleted_at IS NULL`,
]

/** What leaving the instance needs to remember: bounced addresses, tries at sending, and what may be forgotten again. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
