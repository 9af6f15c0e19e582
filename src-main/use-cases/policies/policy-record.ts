import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { policyRoutes } from '#shared/contract/organization-records/policies'
import { invalid } from '#shared/domain/errors'
import { fromMinor } from '#shared/domain/money'
import { type PolicyTerm, policyNeeds, policyTerms } from '#shared/domain/policies'
import { newColumns, toColumns } from '#shared/records/columns'
import { policy } from '#shared/records/policy'
import type { Tx } from '#main/store/core/store'
import { findOrganizationRecord } from '#main/store/records/organizations/organization-record-reader'
import { deletePolicy, insertPolicy, updatePolicy } from '#main/store/records/organizations/policy-writer'
import { assertCurrencyInUse, toStoredAmount } from '../access/amounts'
import type { OrganizationRecord } from '../organization-records/plain-organization-record'

/** What a policy is made from. */
type PolicyInput = z.output<typeof policyRoutes.create.body>
type PolicyRow = Row<'policies'>

/** Policies: a condition has what it needs and nothing else, and one that could never hold is refused. */
export const policyRecord: OrganizationRecord<'policies', PolicyInput> = {
  table: 'policies',
  action: 'policies.write',
  assertValid: async (tx, { organization_id, row, input }) => {
    const tag_id = input.tag_id ?? null
    if (tag_id !== null && tag_id !== row?.tag_id) await assertTag(tx, { organization_id, id: tag_id })
    assertWhole(row, input)
  },
  insert: (tx, organization_id, input) =>
    insertPolicy(tx, { ...newColumns(policy.attributes, input), ...limitOf(undefined, input), organization_id }),
  update: (tx, row, input) => updatePolicy(tx, row, { ...toColumns(policy.attributes, input), ...limitOf(row, input) }),
  remove: deletePolicy,
}

async function assertTag(tx: Tx, key: { organization_id: number; id: number }): Promise<void> {
  if (!(await findOrganizationRecord(tx, 'tags', key))) throw invalid('tag_id', 'invalid')
}

/** What a policy will have: as given, else as it has it. */
function termsOf(row: PolicyRow | undefined, { condition = row?.condition, ...input }: Partial<PolicyInput>) {
  const kept = row && (input.amount === undefined ? row.amount_minor : undefined)
  const { currency = row?.currency ?? null, days = row?.days ?? null, tag_id = row?.tag_id ?? null } = input
  const amount = input.amount ?? (kept != null && row?.currency != null ? fromMinor(kept, row.currency) : null)
  return { condition, tag_id, terms: { amount, currency, days } satisfies Record<PolicyTerm, unknown> }
}

function assertWhole(row: PolicyRow | undefined, input: Partial<PolicyInput>): void {
  const { condition, tag_id, terms } = termsOf(row, input)
  if (condition === undefined) throw invalid('condition', 'blank')
  // An expense that a tag leads to has one.
  if (condition === 'tag_missing' && tag_id !== null) throw invalid('tag_id', 'never_holds')
  const { needs, takes } = policyNeeds[condition]
  const isLimited = terms.amount !== null || (terms.currency !== null && takes.includes('currency'))
  const needed = isLimited && takes.includes('amount') ? takes : needs
  for (const term of needed) if (terms[term] === null) throw invalid(term, 'blank')
  const given = policyTerms.filter((term) => (input[term] ?? null) !== null)
  for (const term of given) if (!needs.includes(term) && !takes.includes(term)) throw invalid(term, 'not_for_condition')
}

/** The columns of what the condition is measured by; what another condition left behind goes. */
function limitOf(row: PolicyRow | undefined, input: Partial<PolicyInput>) {
  const { condition = 'in_future', terms } = termsOf(row, input)
  const { needs, takes } = policyNeeds[condition]
  const has = (term: PolicyTerm) => needs.includes(term) || takes.includes(term)
  const currency = has('currency') ? terms.currency : null
  if (currency !== null) assertCurrencyInUse(currency, { kept: row?.currency })
  const amount = has('amount') && currency !== null ? terms.amount : null
  const money =
    amount === null || currency === null
      ? { amount_minor: null, amount_scaled: null }
      : toStoredAmount(amount, { currency, attribute: 'amount' })
  return { ...money, currency, days: has('days') ? terms.days : null }
}
