import { type Kysely, sql } from 'kysely'

const statements = [
  ...['period', 'distance_kind', 'dates', 'tag_ids', 'claimant_ids', 'currencies', 'kinds'].map(
    (column) => `ALTER TABLE policies ADD COLUMN ${column} TEXT`,
  ),
  `ALTER TABLE policies ADD COLUMN distance REAL`,
  // What one tag or one currency narrowed, lists of them do.
  `UPDATE policies SET tag_ids = tag_id WHERE tag_id IS NOT NULL`,
  `UPDATE policies SET currencies = currency, currency = NULL WHERE condition = 'currency_other'`,
  `DROP INDEX policies_tag`,
  `ALTER TABLE policies DROP COLUMN tag_id`,
  `UPDATE policies SET versions = (
    SELECT json_group_array(json_object(
      'number', value ->> 'number', 'holds_from', value ->> 'holds_from', 'weight', value ->> 'weight', 'condition', value ->> 'condition',
      'amount_minor', value ->> 'amount_minor',
      'currency', iif(value ->> 'condition' = 'currency_other', NULL, value ->> 'currency'),
      'days', value ->> 'days', 'period', NULL, 'distance', NULL, 'distance_kind', NULL, 'dates', json_array(),
      'tag_ids', iif(value ->> 'tag_id' IS NULL, json_array(), json_array(value ->> 'tag_id')), 'claimant_ids', json_array(),
      'currencies', iif(value ->> 'condition' = 'currency_other', json_array(value ->> 'currency'), json_array()),
      'kinds', json_array()) ORDER BY key)
    FROM json_each(policies.versions))`,
  `ALTER TABLE expenses ADD COLUMN justification TEXT`,
  // Between a note and a block there is now the weight that asks for a reason.
  `UPDATE expenses SET flag_level = 3 WHERE flag_level = 2`,
  // What a claimant has in a day, a week or a month.
  `CREATE INDEX expenses_claimed ON expenses (payer_id, receiver_id, occurred_at, id) WHERE deleted_at IS NULL`,
  // Claimants whose expenses of some dates wait to be judged again, since one of them has changed what they come to together.
  `CREATE TABLE sum_runs (
    organization_id INTEGER NOT NULL REFERENCES organizations (id), claimant_id INTEGER NOT NULL REFERENCES users (id),
    user_id INTEGER NOT NULL, from_at TEXT NOT NULL, to_at TEXT NOT NULL, after_at TEXT NOT NULL, after_id INTEGER NOT NULL,
    PRIMARY KEY (organization_id, claimant_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX sum_runs_claimant ON sum_runs (claimant_id)`,
]

/** What policies are measured by and narrowed to, sums of a period, and why a claimant went against one. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
