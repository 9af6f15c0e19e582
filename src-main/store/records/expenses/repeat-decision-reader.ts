import type { Row } from '#db/schema'
import { repeatDecision } from '#shared/records/repeat-decision'
import type { Audience } from '../../sync/audience'
import { sightOf } from '../../sync/sight'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const listOfExpense = statement<{ id: number }, Row<'repeat_decisions'>>((db, p) =>
  db
    .selectFrom('repeat_decisions')
    .selectAll()
    .where((is) => is.or([is('expense_id', '=', p('id')), is('other_expense_id', '=', p('id'))]))
    .where('deleted_at', 'is', null)
    .orderBy('id'),
)
const findOfPair = statement<{ expense_id: number; other_expense_id: number }, { id: number }>((db, p) =>
  db
    .selectFrom('repeat_decisions')
    .select('id')
    .where('expense_id', '=', p('expense_id'))
    .where('other_expense_id', '=', p('other_expense_id'))
    .where('deleted_at', 'is', null),
)

/** What was decided of pairs that an expense is one of. */
export function listRepeatDecisions(reader: Reader, id: number): Promise<Array<Row<'repeat_decisions'>>> {
  return reader.all(listOfExpense, { id })
}

/** What was decided of pairs that an expense is one of, as far as an audience sees both. */
export function listSeenDecisions(
  { db }: Reader,
  { id, audience }: { id: number; audience: Audience },
): Promise<Array<Row<'repeat_decisions'>>> {
  return db
    .selectFrom('repeat_decisions')
    .selectAll()
    .where((is) => is.or([is('expense_id', '=', id), is('other_expense_id', '=', id)]))
    .where('deleted_at', 'is', null)
    .where(sightOf('repeat_decisions', repeatDecision.visible, audience))
    .orderBy('id')
    .execute()
}

/** What was decided of a pair, in the order in which it is stored. */
export function findRepeatDecision(reader: Reader, pair: { expense_id: number; other_expense_id: number }) {
  return reader.first(findOfPair, pair)
}
