import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'

/** The most expenses that one reimbursement can pay. */
const mostExpenses = 1000

const listOf = listStatement<number, Row<'expenses'>>((db, ids) =>
  db.selectFrom('expenses').selectAll().where('reimbursement_id', 'in', ids).where('deleted_at', 'is', null).orderBy('id'),
)
/** Literals, not parameters: otherwise SQLite does not use the partial index. */
const listJoinable = statement<{ payer_id: number; receiver_id: number; currency: string }, Row<'expenses'>>((db, p) =>
  db
    .selectFrom('expenses')
    .selectAll()
    .where('payer_id', '=', p('payer_id'))
    .where('receiver_id', '=', p('receiver_id'))
    .where('approved_amount_currency', '=', p('currency'))
    .where(sql<SqlBool>`status = 'approved' and reimbursement_id is null and liquidate_through_advancement = 0 and deleted_at is null`)
    .orderBy('id')
    .limit(sql.lit(mostExpenses)),
)

/** The expenses of reimbursements, by id. */
export function listReimbursedExpenses(reader: Reader, reimbursement_ids: readonly number[]): Promise<Row<'expenses'>[]> {
  return reader.allOf(listOf, reimbursement_ids)
}

/** The expenses that a reimbursement with this payer, receiver and currency could pay, oldest first. */
export function listJoinableExpenses(
  reader: Reader,
  key: { payer_id: number; receiver_id: number; currency: string },
): Promise<Row<'expenses'>[]> {
  return reader.all(listJoinable, key)
}
