import { invalid } from '#shared/domain/errors'
import { findRole } from '#main/store/records/organizations/membership-reader'
import type { Reader, Tx } from '#main/store/core/store'
import { findUser } from '#main/store/records/users/user-reader'
import { toStoredAmount } from '../access/amounts'

/** Throws for a receiver without a relation to the payer (contract 4.1, 4.2, 4.3). */
export async function assertRelated(reader: Reader, { payer_id, receiver_id }: { payer_id: number; receiver_id: number }): Promise<void> {
  if (!(await findRole(reader, { organization_id: payer_id, user_id: receiver_id }))) throw invalid('receiver', 'not_a_member')
}

/** An amount for storage, in the given currency or the receiver's default one. */
export async function readMoney(
  tx: Tx,
  { amount, currency: given, receiver }: { amount: number | string; currency: string | undefined; receiver: number },
): Promise<{ currency: string; amount_minor: number; amount_scaled: number }> {
  const currency = given ?? (await findUser(tx, receiver))?.default_currency
  if (currency === undefined) throw invalid('currency', 'blank')
  return { currency, ...toStoredAmount(amount, { currency, attribute: 'amount' }) }
}
