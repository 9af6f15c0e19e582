import type { Balance } from '#shared/contract/balances'
import type { Party } from '#shared/contract/representations'
import { fromMinor } from '#shared/domain/money'
import type { BalanceRow } from '#main/store/records/settlements/balance-reader'
import type { Context } from '../endpoint'
import { type People, loadPeople, toOrganizationParty, toUserParty } from './people'

/** Reads the parties of balances. */
export function loadBalanceParties(context: Context, rows: readonly BalanceRow[]): Promise<People> {
  return loadPeople(context, {
    user_ids: rows.map(({ receiver_id }) => receiver_id),
    organization_ids: rows.map(({ payer_id }) => payer_id),
  })
}

/** A balance in the contract's form (2.6). */
export function toBalance(people: People, { payer_id, receiver_id, currency, amount_minor }: BalanceRow): Balance {
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
