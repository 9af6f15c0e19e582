import type { Balance, Balances } from '#shared/contract/balances'
import { type MoneySum, sumMoney } from '../../ui/values/sums'
import type { AccountKey } from '../../api/advancements'

/** What a balance means for the one who has it. */
export type Standing = 'holds' | 'is_owed' | 'settled'

/** Positive: the person holds the organization's money; negative: the organization owes the person. */
export function standingOf(amount: number): Standing {
  if (amount === 0) return 'settled'
  return amount > 0 ? 'holds' : 'is_owed'
}

/** One person's balance in one currency; `isOwn`: the user's. */
export type Account = Balance & { readonly isOwn: boolean }

/** All balances: the user's own first, then by name. */
export function toAccounts({ my_balances, other_balances }: Balances): Account[] {
  const byName = (a: Balance, b: Balance) => a.receiver.name.localeCompare(b.receiver.name) || a.currency.localeCompare(b.currency)
  return [
    ...my_balances.objects.toSorted(byName).map((balance) => ({ ...balance, isOwn: true })),
    ...other_balances.objects.toSorted(byName).map((balance) => ({ ...balance, isOwn: false })),
  ]
}

/** Which account a balance or an advancement is of. */
export function accountOf({ payer, receiver, currency }: Pick<Balance, 'payer' | 'receiver' | 'currency'>): AccountKey {
  return { payer_id: payer.id, receiver_id: receiver.id, currency }
}

/** A text that names an account of an organization. */
export function accountName({ receiver_id, currency }: Omit<AccountKey, 'payer_id'>): string {
  return `${receiver_id} ${currency}`
}

/** The part of an address that names an account, with its `?`. */
export function accountQuery({ receiver_id, currency }: Omit<AccountKey, 'payer_id'>): string {
  return `?person=${receiver_id}&currency=${currency}`
}

/** The account that an address names; undefined when it names none. */
export function parseAccount(address: URLSearchParams, payer_id: number): AccountKey | undefined {
  const receiver_id = Number(address.get('person') ?? '')
  const currency = address.get('currency') ?? ''
  return Number.isSafeInteger(receiver_id) && receiver_id !== 0 && /^[A-Z]{3}$/.test(currency)
    ? { payer_id, receiver_id, currency }
    : undefined
}

/** The sums held and owed, each by currency and exact; both positive. */
export type AccountSums = Readonly<Record<'held' | 'owed', readonly MoneySum[]>>

/** Adds balances up. */
export function sumAccounts(accounts: readonly Balance[]): AccountSums {
  const sum = (chosen: readonly Balance[]) => sumMoney(chosen.map(({ amount, currency }) => ({ amount: Math.abs(amount), currency })))
  return { held: sum(accounts.filter(({ amount }) => amount > 0)), owed: sum(accounts.filter(({ amount }) => amount < 0)) }
}
