import type { Row } from '#db/schema'
import type { StatementMapping } from '#shared/domain/statements/mapping'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'

type Line = Row<'statement_lines'>
type Match = Row<'statement_matches'>

/** A line as far as it is compared with those of a statement. */
export type KnownLine = Pick<Line, 'id' | 'name' | 'occurred_at' | 'amount_minor' | 'currency' | 'external_id'>

const listKnown = statement<{ card_id: number; after: number; count: number }, KnownLine>((db, p) =>
  db
    .selectFrom('statement_lines')
    .select(['id', 'name', 'occurred_at', 'amount_minor', 'currency', 'external_id'])
    .where('corporative_card_id', '=', p('card_id'))
    .where('deleted_at', 'is', null)
    .where('id', '>', p('after'))
    .orderBy('id')
    .limit(p('count')),
)
const findLine = statement<{ id: number }, Line>((db, p) =>
  db.selectFrom('statement_lines').selectAll().where('id', '=', p('id')).where('deleted_at', 'is', null),
)
const findByIdentity = statement<{ card_id: number; external_id: string }, Line>((db, p) =>
  db
    .selectFrom('statement_lines')
    .selectAll()
    .where('corporative_card_id', '=', p('card_id'))
    .where('external_id', '=', p('external_id'))
    .where('deleted_at', 'is', null),
)
const findByPreExpense = statement<{ id: number }, Line>((db, p) =>
  db.selectFrom('statement_lines').selectAll().where('pre_expense_id', '=', p('id')).where('deleted_at', 'is', null).limit(1),
)
const listOfLine = statement<{ id: number }, Match>((db, p) =>
  db.selectFrom('statement_matches').selectAll().where('statement_line_id', '=', p('id')).where('deleted_at', 'is', null),
)
const listOfExpense = statement<{ id: number }, Match>((db, p) =>
  db.selectFrom('statement_matches').selectAll().where('expense_id', '=', p('id')).where('deleted_at', 'is', null).orderBy('id'),
)
const findMapping = statement<{ card_id: number }, { mapping: string }>((db, p) =>
  db.selectFrom('statement_mappings').select('mapping').where('corporative_card_id', '=', p('card_id')),
)

/** Lines that want an expense, and expenses that may belong to one, as far as a user sees them: null, those of all cards. */
export interface MatchedSight {
  readonly organization_id: number
  readonly user_id: number | null
  readonly card_id: number | null
}
const listOpenLines = statement<{ organization_id: number; user_id: number | null; card_id: number | null }, Line>((db, p) =>
  db
    .selectFrom('statement_lines')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('deleted_at', 'is', null)
    .where('line_kind', '!=', 'payment')
    .where('reason', 'is', null)
    .where((e) => e.or([e(p('user_id'), 'is', null), e('user_id', '=', p('user_id'))]))
    .where((e) => e.or([e(p('card_id'), 'is', null), e('corporative_card_id', '=', p('card_id'))]))
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('statement_matches')
            .innerJoin('expenses', 'expenses.id', 'statement_matches.expense_id')
            .select('statement_matches.id')
            .whereRef('statement_matches.statement_line_id', '=', 'statement_lines.id')
            .where('statement_matches.deleted_at', 'is', null)
            .where('expenses.deleted_at', 'is', null),
        ),
      ),
    )
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc'),
)
const listOpenExpenses = statement<
  { organization_id: number; user_id: number | null; from: string; until: string },
  Row<'expenses'>
>((db, p) =>
  db
    .selectFrom('expenses')
    .selectAll()
    .where('payer_id', '=', p('organization_id'))
    .where('deleted_at', 'is', null)
    .where('kind', '=', 'monetary')
    .where('status', '!=', 'rejected')
    .where((e) =>
      e.or([
        e('corporative_card_id', 'is not', null),
        e.and([e('occurred_at', '>=', p('from')), e('occurred_at', '<=', p('until'))]),
      ]),
    )
    .where((e) => e.or([e(p('user_id'), 'is', null), e('receiver_id', '=', p('user_id'))]))
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('statement_matches')
            .select('statement_matches.id')
            .whereRef('statement_matches.expense_id', '=', 'expenses.id')
            .where('statement_matches.deleted_at', 'is', null),
        ),
      ),
    )
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc'),
)

/** A page of the lines of a card, in the order of their ids. */
export function listKnownLines(reader: Reader, page: { card_id: number; after: number; count: number }): Promise<KnownLine[]> {
  return reader.all(listKnown, page)
}
/** A line by id. */
export function findStatementLine(reader: Reader, id: number): Promise<Line | undefined> {
  return reader.first(findLine, { id })
}
/** The line of a card that has this identity. */
export function findLineByIdentity(reader: Reader, key: { card_id: number; external_id: string }): Promise<Line | undefined> {
  return reader.first(findByIdentity, key)
}
/** The line that a pre-expense was made of. */
export function findLineOfPreExpense(reader: Reader, id: number): Promise<Line | undefined> {
  return reader.first(findByPreExpense, { id })
}
/** The expenses that belong to a line. */
export function listMatchesOfLine(reader: Reader, id: number): Promise<Match[]> {
  return reader.all(listOfLine, { id })
}
/** The lines that an expense belongs to, oldest first. */
export function listMatchesOfExpense(reader: Reader, id: number): Promise<Match[]> {
  return reader.all(listOfExpense, { id })
}
/** Lines that want an expense and have none, latest first. */
export function listLinesWithoutExpense(reader: Reader, sight: MatchedSight): Promise<Line[]> {
  return reader.all(listOpenLines, { ...sight })
}
/** Expenses without a line, of these days or naming a card, latest first. */
export function listExpensesWithoutLine(
  reader: Reader,
  { organization_id, user_id }: MatchedSight,
  days: { readonly from: string; readonly until: string },
): Promise<Row<'expenses'>[]> {
  return reader.all(listOpenExpenses, { organization_id, user_id, ...days })
}

/** How statements of a card were read before. */
export async function findStatementMapping(reader: Reader, card_id: number): Promise<StatementMapping> {
  const found = await reader.first(findMapping, { card_id })
  // Only what was parsed is stored.
  return found ? (JSON.parse(found.mapping) as StatementMapping) : {}
}
/** Remembers how statements of a card are read. */
export async function keepStatementMapping(tx: Tx, card_id: number, mapping: StatementMapping): Promise<void> {
  await tx.write('INSERT OR REPLACE INTO statement_mappings (corporative_card_id, mapping) VALUES (?, ?)', [
    card_id,
    JSON.stringify(mapping),
  ])
}
