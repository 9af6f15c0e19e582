/** The values of an expense that decide its counted amount; amounts in major units. */
export type CountedExpense = {
  readonly amount: number
  readonly currency: string
  readonly approved_amount: number | null
  readonly approved_amount_currency: string | null
}

/**
 * The counted amount of an expense, in every row, total, selection and payment: its approved amount, or its claimed one while nothing is approved.
 * Only approved and liquidated expenses have an approved amount: every other move clears it.
 */
export function countedAmount(expense: CountedExpense): { amount: number; currency: string } {
  const { amount, currency, approved_amount, approved_amount_currency } = expense
  return approved_amount === null || approved_amount_currency === null
    ? { amount, currency }
    : { amount: approved_amount, currency: approved_amount_currency }
}

/** The claimed amount of an expense. */
export function claimedAmount({ amount, currency }: CountedExpense): { amount: number; currency: string } {
  return { amount, currency }
}
