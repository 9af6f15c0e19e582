import { useMemo } from 'react'
import type { Expense } from '#shared/contract/expenses'
import { holdsDecision } from '#shared/domain/expense-status'
import { tagKey } from '#shared/domain/tags'
import { attributesWith } from '#shared/records/attributes'
import { expense as definition } from '#shared/records/expense'
import { useTags } from '../../api/tags'
import { useApprovalRules } from '../approvals'
import { usePolicies } from '../policies'

const decided: ReadonlySet<string> = new Set(attributesWith(definition.attributes, 'isDecided').map(([name]) => name))

/** A change of an expense as a form has it: the attributes that differ, and all tags as they will be. */
export interface FormChange {
  readonly names: readonly string[]
  readonly tags: readonly string[]
}

/** Whether a change takes back what was decided of an expense: a decision holds for what was decided (supplement 3). */
export type TakesBack = (expense: Pick<Expense, 'status' | 'tags'>, change: FormChange) => boolean

/** Tells, before a form is saved, what the server does then. */
export function useTakesBack(organizationId: number | null): TakesBack {
  const { data: policies } = usePolicies(organizationId)
  const { data: rules } = useApprovalRules(organizationId)
  const { data: tags } = useTags(organizationId)
  return useMemo(() => {
    const terms = [...(rules ?? []), ...(policies ?? []).flatMap(({ versions }) => versions)]
    const ids = new Set(terms.flatMap(({ tag_ids }) => tag_ids))
    const named = (tags ?? []).flatMap(({ id, name }) => (ids.has(id) ? [tagKey(name)] : []))
    const ruled = (names: readonly string[]) => named.filter((key) => names.some((name) => tagKey(name) === key)).join()
    return ({ status, tags: before }, { names, tags: after }) =>
      holdsDecision(status) && (names.some((name) => decided.has(name)) || ruled(before.split(', ')) !== ruled(after))
  }, [policies, rules, tags])
}
