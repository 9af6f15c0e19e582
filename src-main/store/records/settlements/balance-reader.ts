import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely'
import { readShare } from '../../core/list-query'
import type { Reader } from '../../core/store'

/** The balance of a user with an organization in one currency, in minor units; negative: the organization owes the user. */
export interface BalanceRow {
  readonly payer_id: number
  readonly receiver_id: number
  readonly currency: string
  readonly amount_minor: number
}

/** The ledger's lines: advancements add; devolutions and expenses liquidated through advancement subtract. */
const lines = [
  { table: 'advancements', amount: 'amount_minor', currency: 'currency', sign: 1, only: sql`1 = 1` },
  { table: 'advancement_devolutions', amount: 'amount_minor', currency: 'currency', sign: -1, only: sql`1 = 1` },
  {
    table: 'expenses',
    amount: 'approved_amount_minor',
    currency: 'approved_amount_currency',
    sign: -1,
    // Literals, not parameters: otherwise SQLite does not use the partial index.
    only: sql`liquidate_through_advancement = 1 and status = 'liquidated'`,
  },
] as const

/**
 * Balances by payer, receiver and currency (contract 2.6, supplement 2). Each kind of line is added up along a covering index. A zero balance is
 * listed if it has lines.
 */
function toSums(reader: Reader, where: RawBuilder<SqlBool>): CompiledQuery<BalanceRow> {
  const sums = lines.map(
    ({ table, amount, currency, sign, only }) =>
      sql`select payer_id, receiver_id, ${sql.ref(currency)} as currency, ${sql.lit(sign)} * sum(${sql.ref(amount)}) as amount_minor
        from ${sql.table(table)} where deleted_at is null and ${only} and ${where}
        group by payer_id, receiver_id, ${sql.ref(currency)}`,
  )
  return sql<BalanceRow>`select payer_id, receiver_id, currency, sum(amount_minor) as amount_minor
    from (${sql.join(sums, sql` union all `)}) as sums group by payer_id, receiver_id, currency
    order by payer_id, receiver_id, currency`.compile(reader.db)
}

async function sumUp(reader: Reader, where: RawBuilder<SqlBool>): Promise<BalanceRow[]> {
  return (await reader.readHere([toSums(reader, where)]))[0]
}

/** A user's own balances, including those with organizations that they have left. */
export function listOwnBalances(reader: Reader, user_id: number): Promise<BalanceRow[]> {
  return reader.remember({ sql: 'own balances', parameters: [user_id] }, () => {
    const joined = sql`select organization_id from memberships where user_id = ${user_id}`
    return sumUp(reader, sql`payer_id in (${joined}) and receiver_id = ${user_id}`)
  })
}

/** The balances of all other users with these organizations. */
export async function listBalancesOfOthers(
  reader: Reader,
  { payer_ids, user_id }: { payer_ids: readonly number[]; user_id: number },
): Promise<BalanceRow[]> {
  if (payer_ids.length === 0) return []
  return reader.remember({ sql: 'balances of others', parameters: [user_id, ...payer_ids] }, async () => {
    const query = toSums(reader, sql`payer_id in (${sql.join(payer_ids)}) and receiver_id <> ${user_id}`)
    return (await readShare(reader, [query], { table: 'expenses', user_id }))[0]
  })
}

/** One user's balances with one organization. */
export function listBalancesBetween(
  reader: Reader,
  { payer_id, receiver_id }: { payer_id: number; receiver_id: number },
): Promise<BalanceRow[]> {
  const between = { sql: 'balances between', parameters: [payer_id, receiver_id] }
  return reader.remember(between, () => sumUp(reader, sql`payer_id = ${payer_id} and receiver_id = ${receiver_id}`))
}
