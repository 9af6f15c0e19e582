import type { Expense } from '#shared/contract/expenses'
import type { Session } from '#shared/contract/instance/instance'
import type { ExpenseRelation } from '#shared/domain/expense-status'
import { useSession } from '../../api/session'
import { relationIn, relationTo } from '../../records/expense/relation-to'
import { usePreferences } from '../../state/preferences'

/** Who reviews: the organization whose expenses are shown, and what the caller is to them. */
export type ReviewCaller = {
  readonly organizationId: number | null
  readonly relation: ExpenseRelation
  readonly relationTo: (expense: Expense) => ExpenseRelation
}

/** The membership in the organization that was chosen, else the first; undefined: they belong to none. */
export function chosenMembership({ memberships }: Session, chosenId: number | null): Session['memberships'][number] | undefined {
  return memberships.find(({ organization }) => organization.id === chosenId) ?? memberships[0]
}

/** The caller in the organization that is chosen. */
export function useReviewCaller(): ReviewCaller {
  const { data: session } = useSession()
  const chosenId = usePreferences((state) => state.organizationId)
  const membership = session && chosenMembership(session, chosenId)
  return {
    organizationId: membership?.organization.id ?? null,
    relation: relationIn(membership),
    relationTo: (expense) => relationTo(expense, membership, session?.user.id),
  }
}
