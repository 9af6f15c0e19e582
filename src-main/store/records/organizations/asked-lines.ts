import { type CompiledQuery, sql } from 'kysely'
import type { Row } from '#db/schema'
import type { ActivityEvent } from '#shared/domain/activity-events'
import { listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { isOpen } from './statement-reader'

/** In the audit trail: a line's holder was asked for its receipt. */
export const askedEvent = 'statement_line_asked' satisfies ActivityEvent

const listAsked = listStatement<number, AskedLine>((db, ids) =>
  db
    .selectFrom('activities')
    .select(['subject_id as id', (e) => e.fn.max<string>('occurred_at').as('at')])
    .where('subject_type', '=', sql.lit('StatementLine'))
    .where('event', '=', sql.lit(askedEvent))
    .where('subject_id', 'in', ids)
    .groupBy('subject_id'),
)
const findNewest = statement<Record<string, never>, Pick<Row<'statement_lines'>, 'created_at'>>((db) =>
  db.selectFrom('statement_lines').select('created_at').orderBy('id', 'desc').limit(1),
)

function unaskedHolders({ db }: Reader, after: string): CompiledQuery<UnaskedHolder> {
  return db
    .selectFrom('statement_lines')
    .select(['organization_id', 'user_id', (e) => e.fn.min<string>('created_at').as('since')])
    .where('created_at', '>', after)
    .where('amount_minor', '>', 0)
    .where(isOpen)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('activities')
            .select('activities.id')
            .where('activities.subject_type', '=', sql.lit('StatementLine'))
            .whereRef('activities.subject_id', '=', 'statement_lines.id')
            .where('activities.event', '=', sql.lit(askedEvent)),
        ),
      ),
    )
    .groupBy(['organization_id', 'user_id'])
    .compile()
}

/** A line whose holder was asked for its receipt, and when last. */
export interface AskedLine {
  readonly id: number
  readonly at: string
}

/** Of these lines those whose holders were asked. */
export function listAskedLines(reader: Reader, ids: readonly number[]): Promise<AskedLine[]> {
  return reader.allOf(listAsked, ids)
}

/** A holder who was not asked about each of their lines. `since`: when the first of these was added. */
export interface UnaskedHolder {
  readonly organization_id: number
  readonly user_id: number
  readonly since: string
}

/** Holders of lines that were added after an instant, need an expense and were not asked about; read by another process, if any were added. */
export async function listUnaskedHolders(reader: Reader, after: string): Promise<UnaskedHolder[]> {
  const newest = await reader.first(findNewest, {})
  if (newest === undefined || newest.created_at <= after) return []
  return (await reader.readApart([unaskedHolders(reader, after)], {}))[0]
}
