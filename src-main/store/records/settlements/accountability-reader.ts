import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { type ListFilter, namedPayer } from '#shared/contract/filters'
import { type Purchase, titleOf } from '#shared/domain/suppliers/purchase'
import { type ListQuery, type Page, readPage } from '../../core/list-query'
import { listOrganizationIdsWhere } from '../organizations/membership-reader'
import type { Audience } from '../../sync/audience'
import { seenExpense } from '../../sync/sight'
import { listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'
import { isHeldIn } from '../visible-records'

type Accountability = Row<'accountabilities'>

const findRow = statement<{ id: number }, Accountability>((db, p) =>
  db.selectFrom('accountabilities').selectAll().where('id', '=', p('id')),
)
const listUnfinishedOf = listStatement<number, { expense_id: number; accountability_id: number; status: Accountability['status'] }>(
  (db, ids) =>
    db
      .selectFrom('accountability_expenses')
      .innerJoin('accountabilities', 'accountabilities.id', 'accountability_expenses.accountability_id')
      .select(['accountability_expenses.expense_id', 'accountability_expenses.accountability_id', 'accountabilities.status'])
      .where('accountability_expenses.expense_id', 'in', ids)
      .where('accountabilities.deleted_at', 'is', null),
)
const listIdsOf = listStatement<number, { accountability_id: number; expense_id: number }>((db, ids) =>
  db
    .selectFrom('accountability_expenses')
    .innerJoin('expenses', 'expenses.id', 'accountability_expenses.expense_id')
    .select(['accountability_expenses.accountability_id', 'accountability_expenses.expense_id'])
    .where('accountability_expenses.accountability_id', 'in', ids)
    .where('expenses.deleted_at', 'is', null)
    .orderBy('accountability_expenses.accountability_id')
    .orderBy('accountability_expenses.expense_id'),
)
const listPartsOf = listStatement<number, SumPart>((db, ids) =>
  db
    .selectFrom('accountability_expenses')
    .innerJoin('expenses', 'expenses.id', 'accountability_expenses.expense_id')
    .select(['accountability_expenses.accountability_id', 'expenses.status', 'expenses.currency', 'expenses.approved_amount_currency'])
    .select([sql<number>`count(*)`.as('count'), sql<number>`sum(expenses.amount_minor)`.as('amount_minor')])
    .select(sql<number | null>`sum(expenses.approved_amount_minor)`.as('approved_minor'))
    .where('accountability_expenses.accountability_id', 'in', ids)
    .where('expenses.deleted_at', 'is', null)
    .groupBy(['accountability_expenses.accountability_id', 'expenses.status', 'expenses.currency', 'expenses.approved_amount_currency']),
)
const listExpensesOf = statement<{ id: number }, Row<'expenses'>>((db, p) =>
  db
    .selectFrom('accountability_expenses')
    .innerJoin('expenses', 'expenses.id', 'accountability_expenses.expense_id')
    .selectAll('expenses')
    .where('accountability_expenses.accountability_id', '=', p('id'))
    .where('expenses.deleted_at', 'is', null)
    .orderBy('expenses.id'),
)
const listJoinedIds = statement<{ payer_id: number; receiver_id: number }, { id: number }>((db, p) =>
  db
    .selectFrom('accountabilities')
    .innerJoin('accountability_expenses', 'accountability_expenses.accountability_id', 'accountabilities.id')
    .innerJoin('expenses', 'expenses.id', 'accountability_expenses.expense_id')
    .select('expenses.id')
    .where('accountabilities.payer_id', '=', p('payer_id'))
    .where('accountabilities.status', 'in', ['opened', 'ready_to_review', 'analyzed', 'approved'])
    .where('accountabilities.deleted_at', 'is', null)
    .where('expenses.receiver_id', '=', p('receiver_id')),
)

/** The sum of an accountability's expenses in one status and currency. */
interface SumPart {
  readonly accountability_id: number
  readonly status: Row<'expenses'>['status']
  readonly currency: string
  readonly approved_amount_currency: string | null
  readonly count: number
  readonly amount_minor: number
  readonly approved_minor: number | null
}

/** A sum of expenses in one currency, in minor units. */
export interface AccountabilityTotal {
  readonly currency: string
  readonly count: number
  readonly amount_minor: number
}

/** What an accountability's expenses claim, how much is approved, and how much of that is paid; by currency. */
export type AccountabilitySums = Readonly<Record<'claimed' | 'approved' | 'paid', readonly AccountabilityTotal[]>>

/** An accountability by id, including a deleted one (see `deleted_at`). */
export function findAccountability(reader: Reader, id: number) {
  return reader.first(findRow, { id })
}

/** The statuses of an expense's accountabilities. */
export async function listAccountabilityStatusesOf(reader: Reader, expense_id: number): Promise<Array<Accountability['status']>> {
  return (await reader.allOf(listUnfinishedOf, [expense_id])).map(({ status }) => status)
}

/** The expenses among these that are in another unfinished accountability. */
export async function listJoinedElsewhere(
  reader: Reader,
  { expense_ids, accountability_id }: { expense_ids: readonly number[]; accountability_id: number | undefined },
): Promise<number[]> {
  const places = await reader.allOf(listUnfinishedOf, expense_ids)
  return places
    .filter((place) => place.status !== 'finished' && place.accountability_id !== accountability_id)
    .map(({ expense_id }) => expense_id)
}

/** A receiver's expenses that are in unfinished accountabilities of a payer. */
export async function listJoinedOf(reader: Reader, key: { payer_id: number; receiver_id: number }): Promise<number[]> {
  return (await reader.all(listJoinedIds, key)).map(({ id }) => id)
}

/** The ids of the expenses of accountabilities, by accountability, in order. */
export async function listExpenseIdsOf(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, number[]>> {
  const rows = Map.groupBy(await reader.allOf(listIdsOf, ids), ({ accountability_id }) => accountability_id)
  return new Map([...rows].map(([id, links]) => [id, links.map(({ expense_id }) => expense_id)]))
}

type Accountabilities = ReadonlyArray<Pick<Accountability, 'id' | 'payer_id'>>

/** Whether an audience sees every expense of these accountabilities. */
function seesAll(accountabilities: Accountabilities, { reviews }: Audience): boolean {
  return accountabilities.every(({ payer_id }) => reviews.includes(payer_id))
}

/** The sums of the expenses that an audience sees, by accountability. */
export async function listAccountabilitySums(
  reader: Reader,
  accountabilities: Accountabilities,
  audience: Audience,
): Promise<ReadonlyMap<number, AccountabilitySums>> {
  const ids = accountabilities.map(({ id }) => id)
  const parts = seesAll(accountabilities, audience) ? await reader.allOf(listPartsOf, ids) : await listSeenParts(reader, ids, audience)
  return new Map([...Map.groupBy(parts, ({ accountability_id }) => accountability_id)].map(([id, own]) => [id, toSums(own)]))
}

async function listSeenParts(reader: Reader, ids: readonly number[], audience: Audience): Promise<SumPart[]> {
  const { rows } = await sql<SumPart>`select accountability_id, expenses.status as status, expenses.currency as currency,
      expenses.approved_amount_currency as approved_amount_currency, count(*) as count,
      sum(expenses.amount_minor) as amount_minor, sum(expenses.approved_amount_minor) as approved_minor
    from accountability_expenses join expenses on expenses.id = expense_id
    where accountability_id in (${sql.join(ids)}) and expenses.deleted_at is null and ${seenExpense(audience)}
    group by accountability_id, expenses.status, expenses.currency, expenses.approved_amount_currency`.execute(reader.db)
  return rows
}

function toSums(parts: readonly SumPart[]): AccountabilitySums {
  const approved = parts.flatMap(({ status, count, approved_amount_currency: currency, approved_minor: amount_minor }) =>
    currency === null || amount_minor === null ? [] : [{ status, currency, count, amount_minor }],
  )
  return { claimed: addUp(parts), approved: addUp(approved), paid: addUp(approved.filter(({ status }) => status === 'liquidated')) }
}

function addUp(parts: readonly AccountabilityTotal[]): AccountabilityTotal[] {
  const byCurrency = Map.groupBy(parts, ({ currency }) => currency)
  const sums = [...byCurrency].map(([currency, own]) => ({
    currency,
    count: own.reduce((sum, { count }) => sum + count, 0),
    amount_minor: own.reduce((sum, { amount_minor }) => sum + amount_minor, 0),
  }))
  return sums.toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}

/** The ids of the expenses that an audience sees, by accountability, in order. */
export async function listSeenExpenseIds(
  reader: Reader,
  accountabilities: Accountabilities,
  audience: Audience,
): Promise<ReadonlyMap<number, number[]>> {
  const ids = accountabilities.map(({ id }) => id)
  if (ids.length === 0 || seesAll(accountabilities, audience)) return listExpenseIdsOf(reader, ids)
  const { rows } = await sql<{ accountability_id: number; expense_id: number }>`select accountability_id, expense_id
    from accountability_expenses join expenses on expenses.id = expense_id
    where accountability_id in (${sql.join(ids)}) and expenses.deleted_at is null and ${seenExpense(audience)}
    order by accountability_id, expense_id`.execute(reader.db)
  const own = Map.groupBy(rows, ({ accountability_id }) => accountability_id)
  return new Map([...own].map(([id, links]) => [id, links.map(({ expense_id }) => expense_id)]))
}

/** The expenses among these that an audience sees, by id, with their titles in lists. */
export async function listSeenAmong(
  reader: Reader,
  ids: readonly number[],
  audience: Audience,
): Promise<ReadonlyMap<number, string | undefined>> {
  const { rows } = await sql<Purchase & { id: number }>`select id, description, supplier_name, supplier_tax_id from expenses
    where id in (${sql.join(ids)}) and ${seenExpense(audience)}`.execute(reader.db)
  return new Map(rows.map((row) => [row.id, titleOf(row)]))
}

/** The expenses of an accountability, by id. */
export function listAccountabilityExpenses(reader: Reader, id: number): Promise<Row<'expenses'>[]> {
  return reader.all(listExpensesOf, { id })
}

/**
 * The accountabilities that a user may see, as SQL: of organizations where they are analyst or above, and those that they receive or created.
 * Alternatives that cannot match are left out, so that one index serves the usual case.
 */
async function visibleTo(reader: Reader, user_id: number, filter: ListFilter): Promise<RawBuilder<SqlBool>[]> {
  const reviewed = await listOrganizationIdsWhere(reader, user_id, 'accountabilities.read')
  if (reviewed.some((id) => id === namedPayer(filter))) return []
  const isCreatorMember = await isHeldIn(reader, user_id, { action: 'accountabilities.read', organization: 'payer_id' })
  // Each alternative uses its own index; with OR it would be a scan.
  const alternatives = [
    ...(reviewed.length > 0 ? [sql`payer_id in (${sql.join(reviewed)})`] : []),
    sql`receiver_id = ${user_id}`,
    sql`author_id = ${user_id} and ${isCreatorMember}`,
  ].map((condition) => sql`select id from accountabilities where ${condition} and deleted_at is null`)
  return [sql<SqlBool>`accountabilities.id in (${sql.join(alternatives, sql` union all `)})`]
}

/** A page of the accountabilities that a user may see. */
export async function listAccountabilities(reader: Reader, user_id: number, query: ListQuery): Promise<Page<Accountability>> {
  return readPage(reader, 'accountabilities', { user_id, query, where: () => visibleTo(reader, user_id, query.filter) })
}
