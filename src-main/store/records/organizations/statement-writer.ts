import type { Row } from '#db/schema'
import { statementLine } from '#shared/records/statement-line'
import { writtenDetails } from '../conversations/activity-details'
import { recordActivities } from '../conversations/activity-writer'
import { type NewRecord, insertRecords } from '../../core/record-writer'
import type { Tx } from '../../core/store'

/** Stores new lines together and records each in the audit trail; returns them in order. */
export async function insertStatementLines(tx: Tx, lines: ReadonlyArray<NewRecord<'statement_lines'>>): Promise<Row<'statement_lines'>[]> {
  if (lines.length === 0) return []
  const rows = await insertRecords(
    tx,
    'statement_lines',
    lines.map((values) => ({ values, scope: { organization_id: values.organization_id, user_id: values.user_id } })),
  )
  await recordActivities(
    tx,
    rows.map((row) => ({
      organization_id: row.organization_id,
      subject: { type: statementLine.subject, id: row.id },
      event: 'statement_line_created' as const,
      details: writtenDetails(statementLine.attributes, {}, row),
    })),
  )
  return rows
}
