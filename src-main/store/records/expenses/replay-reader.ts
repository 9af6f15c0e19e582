import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { type JudgedExpense, type PolicyVersion, isInScope } from '#shared/domain/policies'
import { spanOf, toMetres } from '#shared/domain/policies/sums'
import { type PolicyPeriod, isOfInvoices } from '#shared/domain/policies/terms'
import { listOf, perDialect } from '../../core/dialect'
import type { Reader } from '../../core/store'
import { addedScope, adds, selectSums } from './policy-sums'

/** An expense's place in the order of dates. */
export interface ReplayPlace {
  readonly occurred_at: string
  readonly id: number
}

/** An expense on which a policy is tried. */
export type ReplayedRow = JudgedExpense & { readonly id: number }

const ids = z.array(z.int())
const text = z.string().nullable()
const invoices = z.array(z.object({ key: text, total_minor: z.int().nullable(), currency: text, issued_on: text, buyer_tax_id: text }))
const noSums: ReadonlyMap<number, number> = new Map()

interface Total {
  readonly minor: number
  readonly metres: number
}

interface Asked {
  readonly organization_id: number
  readonly user_id: number
  /** The version to try, as policy 0. */
  readonly version: PolicyVersion
  readonly from: ReplayPlace
  readonly most: number
}

/** The first day of an expense's period; see `spanOf`. */
const starts: Readonly<Record<PolicyPeriod, RawBuilder<string>>> = {
  day: sql`substr(other.occurred_at, 1, 10)`,
  week: perDialect({
    sqlite: sql`date(other.occurred_at, '-6 days', 'weekday 1')`,
    postgres: sql`to_char(date_trunc('week', substr(other.occurred_at, 1, 10)::date), 'YYYY-MM-DD')`,
  }),
  month: sql`substr(other.occurred_at, 1, 7) || '-01'`,
}

const invoiceParts = sql`'key', invoice_key, 'total_minor', total_minor, 'currency', invoice_keys.currency, 'issued_on', issued_on,
  'buyer_tax_id', buyer_tax_id`
const invoiceObject = perDialect({ sqlite: sql`json_object(${invoiceParts})`, postgres: sql`json_build_object(${invoiceParts})` })

const keyOf = (receiver_id: number, start: string) => `${receiver_id} ${start}`

/** The totals of each claimant's expenses in every period of some rows: once per period, not once per expense. */
async function readTotals(reader: Reader, rows: readonly ReplayedRow[], { organization_id, user_id, version }: Asked) {
  const { period } = version
  const [first, last] = [rows[0], rows.at(-1)]
  if (!adds(version) || period === null || !first || !last) return undefined
  const { tag_ids, currencies, kinds } = addedScope(version)
  const sums = selectSums(reader.db, {
    payer_id: sql.val(organization_id),
    from: sql.val(spanOf(period, first.occurred_at).from),
    to: sql.val(spanOf(period, last.occurred_at).to),
    tag_ids: sql.val(tag_ids),
    currencies: sql.val(currencies),
    kinds: sql.val(kinds),
  })
  const query = sums.select(['other.receiver_id', starts[period].as('start')]).groupBy(['other.receiver_id', starts[period]])
  const [totals] = await reader.readApart([query.compile()], { user_id })
  return new Map(totals.map(({ receiver_id, start, ...total }) => [keyOf(receiver_id, start), total]))
}

/** The total of the other expenses: the period's total without this expense, if it is included. */
function othersOf(row: ReplayedRow & { readonly status: string }, total: Total | undefined, version: PolicyVersion): number {
  const isOfMoney = version.condition === 'sum_over'
  const isPart = row.status !== 'rejected' && isInScope(version, row) && (!isOfMoney || row.currency === version.currency)
  if (isOfMoney) return (total?.minor ?? 0) - (isPart ? row.amount_minor : 0)
  return (total?.metres ?? 0) - (isPart && row.distance !== null ? toMetres(row.distance, row.distance_kind ?? 'km') : 0)
}

/** Expenses of an organization after a place in the order of dates, with what a policy's version checks. */
export async function readReplayed(reader: Reader, asked: Asked): Promise<ReplayedRow[]> {
  const { organization_id, user_id, version, from, most } = asked
  const tag_ids = sql<string>`(select ${listOf(sql`expense_tags.tag_id`)} from expense_tags
    join tags on tags.id = expense_tags.tag_id and tags.deleted_at is null where expense_tags.expense_id = expenses.id)`
  const invoice_list = isOfInvoices(version.condition)
    ? sql<string>`(select ${listOf(invoiceObject)} from attachments join invoice_keys on invoice_keys.sha256 = attachments.sha256
        where attachments.expense_id = expenses.id and attachments.deleted_at is null
        and (invoice_key is not null or total_minor is not null or issued_on is not null))`
    : sql<string>`'[]'`
  const page = reader.db
    .selectFrom('expenses')
    .select(['id', 'occurred_at', 'created_at', 'receiver_id', 'kind', 'amount_minor', 'currency', 'approved_amount_currency'])
    .select(['distance', 'distance_kind', 'description', 'supplier_name', 'location', 'corporative_card_id', 'pre_expense_id', 'paid_on'])
    .select(['attachments_count', 'justification', 'status', tag_ids.as('tag_list'), invoice_list.as('invoice_list')])
    .where('payer_id', '=', organization_id)
    .where(sql<boolean>`(occurred_at, id) > (${from.occurred_at}, ${from.id})`)
    .where('deleted_at', 'is', null)
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(most)
  const [listed] = await reader.readApart([page.compile()], { user_id })
  const rows = listed.map(({ tag_list, invoice_list: invoiced, ...row }) => ({
    ...row,
    tag_ids: ids.parse(JSON.parse(tag_list)),
    invoices: invoices.parse(JSON.parse(invoiced)),
    others: noSums,
  }))
  const totals = await readTotals(reader, rows, asked)
  const { period } = version
  if (!totals || period === null) return rows
  return rows.map((row) => {
    const total = totals.get(keyOf(row.receiver_id, spanOf(period, row.occurred_at).from.slice(0, 10)))
    return { ...row, others: new Map([[0, othersOf(row, total, version)]]) }
  })
}
