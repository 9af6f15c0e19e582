import type { Expense } from '#shared/contract/expenses'
import type { ExpenseRelation } from '#shared/domain/expense-status'
import { useSession } from '../../api/session'
import { usePreferences } from '../../state/preferences'

/** Who reviews: the organization whose expenses are shown, and what the caller is to them. */
export type ReviewCaller = {
  readonly organizationId: number | null
  readonly relation: ExpenseRelation
  readonly relationTo: (expense: Expense) => ExpenseRelation
}

/** The caller in the organization that is chosen. */
export function useReviewCaller(): ReviewCaller {
  const { data: session } = useSession()
  const chosenId = usePreferences((state) => state.organizationId)
  const membership = session?.memberships.find(({ organization }) => organization.id === chosenId) ?? session?.memberships[0]
  const role = membership?.role
  return {
    organizationId: membership?.organization.id ?? null,
    relation: { role, is_receiver: false },
    relationTo: (expense) => ({ role, is_receiver: session !== undefined && expense.receiver.id === session.user.id }),
  }
}
