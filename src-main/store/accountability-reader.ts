import type { Row } from '#db/schema'
import { statement } from './statement'
import type { Reader } from './store'

const listOfExpense = statement<{ expense_id: number }, Pick<Row<'accountabilities'>, 'status'>>((db, p) =>
  db
    .selectFrom('accountability_expenses')
    .innerJoin('accountabilities', 'accountabilities.id', 'accountability_expenses.accountability_id')
    .select('accountabilities.status')
    .where('accountability_expenses.expense_id', '=', p('expense_id'))
    .where('accountabilities.deleted_at', 'is', null),
)

/** The states of the accountabilities that an expense stands in. */
export async function listAccountabilityStatusesOf(
  reader: Reader,
  expense_id: number,
): Promise<Array<Row<'accountabilities'>['status']>> {
  return (await reader.all(listOfExpense, { expense_id })).map(({ status }) => status)
}
