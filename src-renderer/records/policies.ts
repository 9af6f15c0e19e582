import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { type PolicyRepresentation, type PolicyVersionRepresentation, policyRoutes } from '#shared/contract/organization-records/policies'
import { policyReadRoutes } from '#shared/contract/organization-records/policy-reads'
import { parseAmount } from '#shared/domain/money'
import type { Policy, PolicyVersion } from '#shared/domain/policies'
import { call } from '../api/client'
import { expenseKeys } from '../api/expenses'
import { organizationRecordApi } from '../api/organization-records'

/** Every policy of an organization, and their writes. */
export const { allOf: policiesOf, useAll: usePolicies, useWrite: usePolicyWrite } = organizationRecordApi('policies', policyRoutes)

function toVersion({ amount, ...said }: PolicyVersionRepresentation): PolicyVersion {
  const parsed = amount === null || said.currency === null ? undefined : parseAmount(amount, said.currency)
  return { ...said, amount_minor: parsed?.kind === 'ok' ? parsed.amount_minor : null }
}

/** A policy with all that it has said, as it judges. */
export function toPolicy({ id, versions }: Pick<PolicyRepresentation, 'id' | 'versions'>): Policy {
  return { id, versions: versions.map(toVersion) }
}

/** The expense that sums are asked for. */
export type SummedExpense = z.input<typeof policyReadRoutes.sums.query>

/** What each policy that adds up has to add an expense to; empty while nobody knows. Undefined asks nothing. */
export function usePolicySums(organization_id: number | null, expense: SummedExpense | undefined): ReadonlyMap<number, number> {
  const { data } = useQuery({
    // Each change of an expense can change them.
    queryKey: [...expenseKeys.all, 'sums', organization_id, expense],
    queryFn: ({ signal }) =>
      expense === undefined
        ? { policy_sums: [] }
        : call(policyReadRoutes.sums, { params: { organization_id: organization_id ?? 0 }, query: expense, signal }),
    enabled: organization_id !== null && expense !== undefined,
    retry: false,
  })
  return new Map(data?.policy_sums.map(({ policy_id, others }) => [policy_id, others]))
}
