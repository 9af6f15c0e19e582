import type { AdvancementDevolution } from '#shared/contract/advancement-devolutions'
import type { Advancement } from '#shared/contract/advancements'
import type { Expense } from '#shared/contract/expenses'
import { parseAmount } from '#shared/domain/money'

/** What moves a balance. `expenses`: those liquidated through advancement; of another approved currency they are no lines. */
export type LedgerRecords = {
  readonly advancements: ReadonlyArray<
    Pick<Advancement, 'id' | 'uid' | 'amount' | 'date' | 'created_at' | 'description' | 'responsible_user'>
  >
  readonly devolutions: ReadonlyArray<Pick<AdvancementDevolution, 'id' | 'uid' | 'amount' | 'date' | 'created_at' | 'responsible_user'>>
  readonly expenses: ReadonlyArray<
    Pick<
      Expense,
      'id' | 'uid' | 'approved_amount' | 'approved_amount_currency' | 'occurred_at' | 'created_at' | 'description' | 'responsible_user'
    >
  >
}

/** One movement and the balance after it, in minor units; `amount_minor` is negative for reductions. */
export type LedgerLine = {
  readonly kind: 'advancement' | 'devolution' | 'expense'
  readonly id: number
  readonly uid: string
  readonly date: string
  readonly description: string | null
  /** Who recorded it, as far as is known. */
  readonly by: string | null
  readonly amount_minor: number
  readonly balance_minor: number
}

type Movement = Omit<LedgerLine, 'balance_minor'> & { readonly created_at: string }

function toMinor(amount: number, currency: string): number {
  const parsed = parseAmount(amount, currency)
  if (parsed.kind !== 'ok') throw new RangeError(`${amount} is no amount of ${currency}.`)
  return parsed.amount_minor
}

function movementsOf({ advancements, devolutions, expenses }: LedgerRecords, currency: string): Movement[] {
  return [
    ...advancements.map(({ id, uid, amount, date, created_at, description, responsible_user }) => ({
      ...{ kind: 'advancement' as const, id, uid, date, created_at, description, by: responsible_user.name },
      amount_minor: toMinor(amount, currency),
    })),
    ...devolutions.map(({ id, uid, amount, date, created_at, responsible_user }) => ({
      ...{ kind: 'devolution' as const, id, uid, date, created_at, description: null, by: responsible_user.name },
      amount_minor: -toMinor(amount, currency),
    })),
    ...expenses.flatMap(({ id, uid, approved_amount, approved_amount_currency, occurred_at, created_at, description, responsible_user }) =>
      approved_amount === null || approved_amount_currency !== currency
        ? []
        : [
            {
              ...{ kind: 'expense' as const, id, uid, date: occurred_at, created_at, description },
              by: responsible_user?.name ?? null,
              amount_minor: -toMinor(approved_amount, currency),
            },
          ],
    ),
  ]
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * The movements of an account by date, oldest first, each with the balance after it (supplement 2, "Advancements, devolutions,
 * balances"). All in integer minor units of the currency.
 * @throws RangeError when an amount is none of the currency, or a balance is too large to be exact.
 */
export function toLedger(records: LedgerRecords, currency: string): LedgerLine[] {
  const movements = movementsOf(records, currency).toSorted(
    (a, b) => compare(a.date, b.date) || compare(a.created_at, b.created_at) || compare(a.uid, b.uid),
  )
  let balance_minor = 0
  return movements.map(({ created_at: _created_at, ...movement }) => {
    balance_minor += movement.amount_minor
    if (!Number.isSafeInteger(balance_minor)) throw new RangeError('The balance is too large to be exact.')
    return { ...movement, balance_minor }
  })
}

/** The balance after the last line; zero before the first. */
export function balanceOf(lines: readonly LedgerLine[]): number {
  return lines.at(-1)?.balance_minor ?? 0
}
