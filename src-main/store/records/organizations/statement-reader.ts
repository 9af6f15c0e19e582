import { type CompiledQuery, type ExpressionBuilder, sql } from 'kysely'
import type { Row, Schema } from '#db/schema'
import type { CardOfFiles, KeptAccount } from '#shared/domain/statements/accounts'
import { type KeptMappings, type StatementFormat, type StatementMapping, statementFormats } from '#shared/domain/statements/mapping'
import type { Period } from '#shared/domain/statements/periods'
import { unindexed } from '../../core/dialect'
import { listStatement, statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'

type Line = Row<'statement_lines'>

type Caller = { readonly user_id: number }
type Match = Row<'statement_matches'>

/** The columns of a line that are compared with a statement's lines. */
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
const findMapping = statement<{ card_id: number }, { mapping: string; accounts: string | null; history: string | null }>((db, p) =>
  db.selectFrom('statement_mappings').select(['mapping', 'accounts', 'history']).where('corporative_card_id', '=', p('card_id')),
)

const listCards = statement<{ organization_id: number }, { card_id: number; user_id: number; last4: string; accounts: string | null }>(
  (db, p) =>
    db
      .selectFrom('corporative_cards')
      .leftJoin('statement_mappings', 'statement_mappings.corporative_card_id', 'corporative_cards.id')
      .select(['corporative_cards.id as card_id', 'user_id', 'number_last4 as last4', 'accounts'])
      .where('organization_id', '=', p('organization_id'))
      .where('deleted_at', 'is', null)
      .orderBy('corporative_cards.id'),
)

/** The cards of an organization with the accounts of their earlier files, and their holders. */
export async function listCardsOfFiles(
  reader: Reader,
  organization_id: number,
): Promise<Array<CardOfFiles & { readonly user_id: number }>> {
  const rows = await reader.all(listCards, { organization_id })
  return rows.map(({ accounts, ...card }) => ({ ...card, kept: accounts === null ? [] : (JSON.parse(accounts) as KeptAccount[]) }))
}

/** The lines and expenses to match, as far as a user sees them; null: of all cards. */
export interface MatchedSight {
  readonly organization_id: number
  readonly user_id: number | null
  readonly card_id: number | null
}

/** Whether no expense belongs to a line, and one should. */
export function isOpen(e: ExpressionBuilder<Schema, 'statement_lines'>) {
  const matched = e
    .selectFrom('statement_matches')
    .innerJoin('expenses', 'expenses.id', 'statement_matches.expense_id')
    .select('statement_matches.id')
    .whereRef('statement_matches.statement_line_id', '=', 'statement_lines.id')
    .where('statement_matches.deleted_at', 'is', null)
    .where('expenses.deleted_at', 'is', null)
  return e.and([
    e('statement_lines.deleted_at', 'is', null),
    e('statement_lines.line_kind', '!=', sql.lit('payment')),
    e('statement_lines.reason', 'is', null),
    e.not(e.exists(matched)),
  ])
}
function openLines({ db }: Reader, { organization_id, user_id, card_id }: MatchedSight): CompiledQuery<Line> {
  const ofUser = user_id === null ? db.selectFrom('statement_lines') : db.selectFrom('statement_lines').where('user_id', '=', user_id)
  return (card_id === null ? ofUser : ofUser.where('corporative_card_id', '=', card_id))
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where(isOpen)
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .compile()
}
const findOpen = statement<{ id: number }, { id: number }>((db, p) =>
  db.selectFrom('statement_lines').select('id').where('id', '=', p('id')).where(isOpen),
)
const comparedColumns = [
  ...(['id', 'receiver_id', 'corporative_card_id', 'occurred_at', 'amount_minor', 'currency'] as const),
  ...(['supplier_name', 'description'] as const),
] as const
/** The columns of an expense that are compared with lines. */
export type ComparedExpense = Pick<Row<'expenses'>, (typeof comparedColumns)[number]>

function openExpenses({ db }: Reader, { user_id }: MatchedSight) {
  const all = db.selectFrom('expenses')
  return (user_id === null ? all : all.where('receiver_id', '=', user_id))
    .select(comparedColumns)
    .where('deleted_at', 'is', null)
    .where(sql`${unindexed}kind`, '=', 'monetary')
    .where('status', '!=', 'rejected')
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
}
const listOfExpenses = listStatement<number, Match>((db, ids) =>
  db.selectFrom('statement_matches').selectAll().where('expense_id', 'in', ids).where('deleted_at', 'is', null),
)
const listOfLines = listStatement<number, Match>((db, ids) =>
  db.selectFrom('statement_matches').selectAll().where('statement_line_id', 'in', ids).where('deleted_at', 'is', null),
)
const listLinesOfIds = listStatement<number, Line>((db, ids) =>
  db.selectFrom('statement_lines').selectAll().where('id', 'in', ids).where('deleted_at', 'is', null),
)
const totalsOfCard = statement<{ organization_id: number; card_id: number; user_id: number | null }, CardTotal>((db, p) =>
  db
    .selectFrom('statement_lines')
    .select((e) => [
      'currency',
      e.fn.sum<number>(e.case().when('amount_minor', '>', 0).then(e.ref('amount_minor')).else(0).end()).as('spent_minor'),
      e.fn
        .sum<number>(
          e
            .case()
            .when('amount_minor', '<', 0)
            .then(e.neg(e.ref('amount_minor')))
            .else(0)
            .end(),
        )
        .as('returned_minor'),
    ])
    .where('corporative_card_id', '=', p('card_id'))
    .where('organization_id', '=', p('organization_id'))
    .where('deleted_at', 'is', null)
    .where('line_kind', '!=', 'payment')
    .where((e) => e.or([e(sql`cast(${p('user_id')} as bigint)`, 'is', null), e('user_id', '=', p('user_id'))]))
    .groupBy('currency')
    .orderBy('currency'),
)
const listOfIds = listStatement<number, Row<'expenses'>>((db, ids) =>
  db.selectFrom('expenses').selectAll().where('id', 'in', ids).where('deleted_at', 'is', null),
)

/** A page of a card's lines, by id. */
export function listKnownLines(reader: Reader, page: { card_id: number; after: number; count: number }): Promise<KnownLine[]> {
  return reader.all(listKnown, page)
}
/** A line by id. */
export function findStatementLine(reader: Reader, id: number): Promise<Line | undefined> {
  return reader.first(findLine, { id })
}
/** A card's line with this identity. */
export function findLineByIdentity(reader: Reader, key: { card_id: number; external_id: string }): Promise<Line | undefined> {
  return reader.first(findByIdentity, key)
}
/** The line from which a pre-expense was made. */
export function findLineOfPreExpense(reader: Reader, id: number): Promise<Line | undefined> {
  return reader.first(findByPreExpense, { id })
}
/** The expenses that belong to a line. */
export function listMatchesOfLine(reader: Reader, id: number): Promise<Match[]> {
  return reader.allOf(listOfLines, [id])
}
/** The lines to which an expense belongs. */
export function listMatchesOfExpense(reader: Reader, id: number): Promise<Match[]> {
  return reader.allOf(listOfExpenses, [id])
}

/** Lines and the expenses that share them. */
export interface SharedLines {
  readonly lines: readonly Line[]
  readonly others: ReadonlyArray<Row<'expenses'>>
}

/** The lines to which an expense belongs, or is to belong (`also`), with the other expenses on these and the lines of those. */
export async function listSharedLines(reader: Reader, expense_id: number, also: readonly number[] = []): Promise<SharedLines> {
  const [lines, expenses] = [new Set(also), new Set([expense_id])]
  for (let known = 0; known < lines.size + expenses.size;) {
    known = lines.size + expenses.size
    for (const { statement_line_id } of await reader.allOf(listOfExpenses, [...expenses])) lines.add(statement_line_id)
    for (const match of await reader.allOf(listOfLines, [...lines])) expenses.add(match.expense_id)
  }
  expenses.delete(expense_id)
  return { lines: await reader.allOf(listLinesOfIds, [...lines]), others: await listExpensesOfIds(reader, [...expenses]) }
}

/** Whether a line needs an expense and has none. */
export async function isOpenLine(reader: Reader, id: number): Promise<boolean> {
  return (await reader.first(findOpen, { id })) !== undefined
}
/** Lines that need an expense and have none, latest first, for a caller; read by another process. */
export async function listLinesWithoutExpense(reader: Reader, sight: MatchedSight, caller: Caller): Promise<Line[]> {
  return (await reader.readApart([openLines(reader, sight)], caller))[0]
}
/** A line with an expense that belongs to it. */
export interface LineWithExpense extends ComparedExpense {
  readonly line_id: number
  readonly line_amount_minor: number
  readonly line_currency: string
  readonly line_day: string
  readonly name: string
  readonly card_id: number
}
/** Lines of cards from a day on, each with every expense that belongs to it, for a caller; read by another process. */
export async function listLinesWithExpense(
  reader: Reader,
  { card_ids, from }: { readonly card_ids: readonly number[]; readonly from: string },
  caller: Caller,
): Promise<LineWithExpense[]> {
  const query = reader.db
    .selectFrom('statement_lines')
    .innerJoin('statement_matches', 'statement_matches.statement_line_id', 'statement_lines.id')
    .innerJoin('expenses', 'expenses.id', 'statement_matches.expense_id')
    .select(comparedColumns.map((column) => `expenses.${column}` as const))
    .select([
      'statement_lines.id as line_id',
      'statement_lines.amount_minor as line_amount_minor',
      'statement_lines.currency as line_currency',
    ])
    .select(['statement_lines.occurred_at as line_day', 'statement_lines.name', 'statement_lines.corporative_card_id as card_id'])
    .where('statement_lines.corporative_card_id', 'in', card_ids)
    .where('statement_lines.occurred_at', '>=', from)
    .where('statement_lines.deleted_at', 'is', null)
    .where('statement_matches.deleted_at', 'is', null)
    .where('expenses.deleted_at', 'is', null)
    .orderBy('statement_lines.id')
  return (await reader.readApart([query.compile()], caller))[0]
}
/** Expenses without a line, of these days or with a card, latest first, for a caller; read by another process. */
export async function listExpensesWithoutLine(
  reader: Reader,
  { days, ...sight }: MatchedSight & { readonly days: { readonly from: string; readonly until: string } },
  caller: Caller,
): Promise<ComparedExpense[]> {
  const { organization_id } = sight
  const ofDays = openExpenses(reader, sight)
    .where('payer_id', '=', organization_id)
    .where('occurred_at', '>=', days.from)
    .where('occurred_at', '<=', days.until)
  // `unindexed` makes each query use the index that narrows it: days or cards.
  const withCard = openExpenses(reader, sight)
    .where('corporative_card_id', 'is not', null)
    .where(sql`${unindexed}payer_id`, '=', organization_id)
  const [near, carded] = await reader.readApart([ofDays.compile(), withCard.compile()], caller)
  const byId = new Map([...near, ...carded].map((row) => [row.id, row]))
  return [...byId.values()].toSorted((one, other) =>
    one.occurred_at === other.occurred_at ? other.id - one.id : one.occurred_at < other.occurred_at ? 1 : -1,
  )
}
/** The total of a card's lines in a currency, without payments of the card itself. Minor units; `returned_minor` is positive. */
export interface CardTotal {
  readonly currency: string
  readonly spent_minor: number
  readonly returned_minor: number
}
/** The total of a card's lines that a user sees. */
export function totalCard(reader: Reader, { organization_id, user_id, card_id }: MatchedSight & { readonly card_id: number }) {
  return reader.all(totalsOfCard, { organization_id, user_id, card_id })
}
/** Expenses by id, in that order. */
export async function listExpensesOfIds(reader: Reader, ids: readonly number[]): Promise<Array<Row<'expenses'>>> {
  const byId = new Map((await reader.allOf(listOfIds, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** What is known of a card's statements: how files of each format are read, and the accounts from which they came. */
export interface KnownOfStatements {
  readonly kept: KeptMappings
  readonly accounts: readonly KeptAccount[]
}

/** What a card's earlier statements have shown. */
export async function findKnownOfStatements(reader: Reader, card_id: number): Promise<KnownOfStatements> {
  const found = await reader.first(findMapping, { card_id })
  if (!found) return { kept: {}, accounts: [] }
  // Only parsed values are stored.
  const stored = JSON.parse(found.mapping) as KeptMappings | StatementMapping
  const isByFormat = Object.keys(stored).every((key) => statementFormats.some((format) => format === key))
  // Earlier versions kept one mapping, of the last delimited file.
  const kept = isByFormat ? (stored as KeptMappings) : { csv: stored as StatementMapping }
  return { kept, accounts: found.accounts === null ? [] : (JSON.parse(found.accounts) as KeptAccount[]) }
}
/** What is known of a card's imported statements: their periods, and the digests of their contents, `whole` if all lines are stored. */
export interface StatementHistory {
  readonly periods: readonly Period[]
  readonly files: ReadonlyArray<{ readonly digest: string; readonly is_whole: boolean }>
}

/** The imported statements of a card. */
export async function findStatementHistory(reader: Reader, card_id: number): Promise<StatementHistory> {
  const found = await reader.first(findMapping, { card_id })
  return found?.history == null ? { periods: [], files: [] } : (JSON.parse(found.history) as StatementHistory)
}

/** An import with lines that are not added yet. `at`: when lines were last added; `added` of `lines` are. */
export interface UnfinishedImport {
  readonly at: string
  readonly added: number
  readonly lines: number
  readonly first_day: string
  readonly last_day: string
}

const listUnfinished = statement<{ organization_id: number }, { corporative_card_id: number; user_id: number; unfinished: string | null }>(
  (db, p) =>
    db
      .selectFrom('corporative_cards')
      .innerJoin('statement_mappings', 'statement_mappings.corporative_card_id', 'corporative_cards.id')
      .select(['corporative_card_id', 'corporative_cards.user_id', 'unfinished'])
      .where('organization_id', '=', p('organization_id'))
      .where('deleted_at', 'is', null),
)

/** Unfinished imports of statements for cards that a user sees. */
export async function listUnfinishedImports(reader: Reader, { organization_id, user_id, card_id }: MatchedSight) {
  const rows = await reader.all(listUnfinished, { organization_id })
  return rows.flatMap(({ corporative_card_id, user_id: holder, unfinished }) => {
    if (unfinished === null || (user_id !== null && holder !== user_id) || (card_id !== null && corporative_card_id !== card_id)) return []
    return (JSON.parse(unfinished) as UnfinishedImport[]).map((one) => ({ ...one, corporative_card_id }))
  })
}

/** Stores a card's unfinished imports. */
export async function noteUnfinishedImports(tx: Tx, card_id: number, unfinished: readonly UnfinishedImport[]): Promise<void> {
  await tx.write(
    'INSERT INTO statement_mappings (corporative_card_id, mapping, unfinished) VALUES (?, ?, ?) ON CONFLICT (corporative_card_id) DO UPDATE SET unfinished = excluded.unfinished',
    [card_id, '{}', unfinished.length === 0 ? null : JSON.stringify(unfinished)],
  )
}

/** Stores what is known of a card's imported statements. */
export async function keepStatementHistory(tx: Tx, card_id: number, history: StatementHistory): Promise<void> {
  await tx.write(
    'INSERT INTO statement_mappings (corporative_card_id, mapping, history) VALUES (?, ?, ?) ON CONFLICT (corporative_card_id) DO UPDATE SET history = excluded.history',
    [card_id, '{}', JSON.stringify(history)],
  )
}

/** Stores how a card's statements of a format are read, and the account of one. */
export async function keepStatement(
  tx: Tx,
  card_id: number,
  {
    format,
    mapping,
    account,
  }: { readonly format: StatementFormat; readonly mapping: StatementMapping; readonly account: KeptAccount | null },
): Promise<void> {
  const { kept, accounts } = await findKnownOfStatements(tx, card_id)
  const others = account && accounts.filter(({ digits, hash }) => digits !== account.digits || hash !== account.hash)
  await tx.write(
    'INSERT INTO statement_mappings (corporative_card_id, mapping, accounts) VALUES (?, ?, ?) ON CONFLICT (corporative_card_id) DO UPDATE SET mapping = excluded.mapping, accounts = excluded.accounts',
    [card_id, JSON.stringify({ ...kept, [format]: mapping }), JSON.stringify(others ? [...others, account] : accounts)],
  )
}
