/** The values of an approved expense that decide how it is liquidated. */
export type LiquidableExpense = {
  readonly receiver_id: number
  readonly approved_amount_minor: number
  readonly approved_amount_currency: string
  readonly is_through_advancement: boolean
}

/** Expenses of one receiver in one approved currency. `amount_minor`: the sum of their approved amounts. */
export type LiquidationGroup<E extends LiquidableExpense> = {
  readonly receiver_id: number
  readonly currency: string
  readonly amount_minor: number
  readonly expenses: readonly E[]
}

/** How expenses are liquidated: by payment, or from an advance. */
export type LiquidationPlan<E extends LiquidableExpense> = {
  readonly reimbursements: ReadonlyArray<LiquidationGroup<E>>
  readonly advancements: ReadonlyArray<LiquidationGroup<E>>
}

/**
 * Groups approved expenses by their liquidation form, receiver and approved currency: one reimbursement for each group that is
 * not liquidated through advancement. Contract 3.2, finished; supplement 2, "Accountabilities".
 */
export function planLiquidation<E extends LiquidableExpense>(expenses: readonly E[]): LiquidationPlan<E> {
  return {
    reimbursements: toGroups(expenses.filter((expense) => !expense.is_through_advancement)),
    advancements: toGroups(expenses.filter((expense) => expense.is_through_advancement)),
  }
}

function toGroups<E extends LiquidableExpense>(expenses: readonly E[]): Array<LiquidationGroup<E>> {
  const groups = Map.groupBy(expenses, (expense) => `${expense.receiver_id} ${expense.approved_amount_currency}`)
  return [...groups.values()].flatMap((members) =>
    members
      .slice(0, 1)
      .map(({ receiver_id, approved_amount_currency }) => ({
        receiver_id,
        currency: approved_amount_currency,
        amount_minor: members.reduce((sum, expense) => sum + expense.approved_amount_minor, 0),
        expenses: members,
      })),
  )
}
