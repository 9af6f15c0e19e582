import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { policyRoutes } from '#shared/contract/organization-records/policies'
import { invalid } from '#shared/domain/errors'
import { fromMinor } from '#shared/domain/money'
import { type PolicyTerm, policyNeeds, policyTerms } from '#shared/domain/policies'
import { newColumns, toColumns } from '#shared/records/columns'
import { policy } from '#shared/records/policy'
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
  assertValid: async (tx, { organization_id, row, input: { tag_id = null } }) => {
    if (tag_id === null || tag_id === row?.tag_id) return
    if (!(await findOrganizationRecord(tx, 'tags', { organization_id, id: tag_id }))) throw invalid('tag_id', 'invalid')
  },
  insert: (tx, organization_id, input) =>
    insertPolicy(tx, { ...newColumns(policy.attributes, input), ...limitOf(undefined, input), organization_id }),
  update: (tx, row, input) => updatePolicy(tx, row, { ...toColumns(policy.attributes, input), ...limitOf(row, input) }),
  remove: deletePolicy,
}

/** The columns of what the condition is measured by: as given, else as the policy has it; what another condition left behind goes. */
function limitOf(row: PolicyRow | undefined, input: Partial<PolicyInput>) {
  const { condition = row?.condition, tag_id = row?.tag_id ?? null } = input
  if (condition === undefined) throw invalid('condition', 'blank')
  // An expense that a tag leads to has one.
  if (condition === 'tag_missing' && tag_id !== null) throw invalid('tag_id', 'never_holds')
  const { needs, takes } = policyNeeds[condition]
  const has = (term: PolicyTerm) => needs.includes(term) || takes.includes(term)
  for (const term of policyTerms) if ((input[term] ?? null) !== null && !has(term)) throw invalid(term, 'not_for_condition')
  const { amount = amountOf(row), currency = row?.currency ?? null, days = row?.days ?? null } = input
  const terms = {
    amount: has('amount') ? amount : null,
    currency: has('currency') ? currency : null,
    days: has('days') ? days : null,
  }
  // What it may have, it has whole or not at all.
  const isTaken = takes.some((term) => terms[term] !== null)
  for (const term of isTaken ? takes : needs) if (terms[term] === null) throw invalid(term, 'blank')
  return { ...moneyOf(terms, row), days: terms.days }
}

function amountOf(row: PolicyRow | undefined): number | null {
  return row?.amount_minor == null || row.currency === null ? null : fromMinor(row.amount_minor, row.currency)
}

function moneyOf({ amount, currency }: { amount: number | string | null; currency: string | null }, row: PolicyRow | undefined) {
  if (currency !== null) assertCurrencyInUse(currency, { kept: row?.currency })
  if (amount === null || currency === null) return { amount_minor: null, amount_scaled: null, currency }
  return { ...toStoredAmount(amount, { currency, attribute: 'amount' }), currency }
}
