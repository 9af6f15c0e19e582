import { notFound } from '#shared/domain/errors'
import { type Action, may } from '#shared/domain/permissions'
import { type BalanceRow, listBalancesBetween, listBalancesOfOthers } from '#main/store/records/settlements/balance-reader'
import { findRole, listOrganizationIdsWhere } from '#main/store/records/organizations/membership-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import type { Reader } from '#main/store/core/store'

/** The balances of others in the organizations where a user may do this (contract 4.4). */
export async function listVisibleBalances(reader: Reader, user_id: number, action: Action): Promise<BalanceRow[]> {
  const payer_ids = await listOrganizationIdsWhere(reader, user_id, action)
  return listBalancesOfOthers(reader, { payer_ids, user_id })
}

/**
 * A user's balance with an organization in a currency; zero if it has no lines (contract 4.4). Throws `not_found` if the caller may not see it, or if
 * the two never had a relation.
 */
export async function getVisibleBalance(
  reader: Reader,
  { payer_id, receiver_id, currency }: Omit<BalanceRow, 'amount_minor'>,
  user_id: number,
): Promise<BalanceRow> {
  const role = await findRole(reader, { organization_id: payer_id, user_id })
  if (!may('balances.read', { role, is_receiver: receiver_id === user_id })) throw notFound()
  const balances = await listBalancesBetween(reader, { payer_id, receiver_id })
  const isRelated = async () =>
    (await findOrganization(reader, payer_id)) !== undefined &&
    (await findRole(reader, { organization_id: payer_id, user_id: receiver_id })) !== undefined
  if (balances.length === 0 && !(await isRelated())) throw notFound()
  const found = balances.find((balance) => balance.currency === currency)
  return found ?? { payer_id, receiver_id, currency, amount_minor: 0 }
}
