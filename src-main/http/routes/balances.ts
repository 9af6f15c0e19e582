import { type Balance, type BalanceFilter, balanceRoutes, parseBalanceFilter } from '#shared/contract/balances'
import type { Party } from '#shared/contract/representations'
import { fromMinor, toScaled } from '#shared/domain/money'
import { type BalanceRow, listOwnBalances } from '#main/store/records/settlements/balance-reader'
import { getVisibleBalance, listVisibleBalances } from '#main/use-cases/access/visible-balances'
import { type Context, type Endpoint, query } from '../endpoint'
import { pageOfAll } from '../paging'
import { type People, loadPeople, toOrganizationParty, toUserParty } from '../representations/people'

/** Reads the parties of balances. */
function loadBalanceParties(context: Context, rows: readonly BalanceRow[]): Promise<People> {
  return loadPeople(context, {
    user_ids: rows.map(({ receiver_id }) => receiver_id),
    organization_ids: rows.map(({ payer_id }) => payer_id),
  })
}

/** A balance in the contract's form (2.6). */
function toBalance(people: People, { payer_id, receiver_id, currency, amount_minor }: BalanceRow): Balance {
  return {
    amount: fromMinor(amount_minor, currency),
    currency,
    payer: withoutImages(toOrganizationParty(people, payer_id)),
    receiver: withoutImages(toUserParty(people, receiver_id)),
  }
}

function withoutImages({ id, uid, name, type }: Party): Balance['payer'] {
  return { id, uid, name, type }
}

function isWanted({ payer_id, receiver_id, currency, amount_minor }: BalanceRow, filter: BalanceFilter): boolean {
  const scaled = toScaled(amount_minor, currency)
  return (
    (filter.payer_id ?? payer_id) === payer_id &&
    (filter.receiver_id ?? receiver_id) === receiver_id &&
    (filter.currency ?? currency) === currency &&
    scaled >= (filter.balance_gteq ?? -Infinity) &&
    scaled <= (filter.balance_lteq ?? Infinity)
  )
}

/** Balances of advancements (contract 4.4). */
export const balanceEndpoints: Endpoint[] = [
  query(balanceRoutes.list, async (context, { query: { q } }) => {
    const filter = parseBalanceFilter(q)
    const { user_id } = context.caller
    const own = await listOwnBalances(context.reader, user_id)
    const others = await listVisibleBalances(context.reader, user_id, 'balances.read')
    const people = await loadBalanceParties(context, [...own, ...others])
    const counted = (rows: readonly BalanceRow[]) => {
      const objects = rows.filter((row) => isWanted(row, filter)).map((row) => toBalance(people, row))
      return { count: objects.length, objects }
    }
    return {
      body: {
        available_payers: [...people.organizations.keys()].map((id) => toOrganizationParty(people, id)),
        available_receivers: [...people.users.keys()].map((id) => toUserParty(people, id)),
        my_balances: counted(own),
        other_balances: counted(others),
      },
    }
  }),
  query(balanceRoutes.listOrganizations, async (context, { list }) => {
    const all = await listVisibleBalances(context.reader, context.caller.user_id, 'balances.list_organization')
    const keyOf = ({ payer_id, receiver_id, currency }: BalanceRow) => [payer_id, receiver_id, currency]
    const { rows, frame, next } = pageOfAll(list, all, keyOf)
    const people = await loadBalanceParties(context, rows)
    return { body: { ...frame, balances: rows.map((row) => toBalance(people, row)) }, next }
  }),
  query(balanceRoutes.show, async (context, { params: { payer_id }, query: { receiver_id, currency } }) => {
    const row = await getVisibleBalance(context.reader, { payer_id, receiver_id, currency }, context.caller.user_id)
    return { body: toBalance(await loadBalanceParties(context, [row]), row) }
  }),
]
