import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { policyRoutes } from '#shared/contract/organization-records/policies'
import { invalid } from '#shared/domain/errors'
import { fromMinor } from '#shared/domain/money'
import { type PolicyScope, type PolicyTerm, findContradiction, isMeasuredBy, policyNeeds, policyTerms } from '#shared/domain/policies/terms'
import { fromListColumn, newColumns, toColumns } from '#shared/records/columns'
import { policy } from '#shared/records/policy'
import { deletePolicy, insertPolicy, updatePolicy } from '#main/store/records/organizations/policy-writer'
import type { Reader } from '#main/store/core/store'
import { assertCurrencyInUse, toStoredAmount } from '../access/amounts'
import { assertKnown } from '../access/assert-known'
import type { OrganizationRecord } from '../organization-records/plain-organization-record'

/** The input for a policy. */
export type PolicyInput = z.output<typeof policyRoutes.create.body>
type PolicyRow = Row<'policies'>

/** Policies: a condition has exactly the values it needs, and one that could never find anything is invalid. */
export const policyRecord: OrganizationRecord<'policies', PolicyInput> = {
  table: 'policies',
  action: 'policies.write',
  assertValid: (tx, { organization_id, row, input }) => assertScopeKnown(tx, { organization_id, row, input }),
  insert: (tx, organization_id, input) => insertPolicy(tx, { ...toPolicyColumns(input), organization_id }),
  update: (tx, row, input) => updatePolicy(tx, row, { ...toColumns(policy.attributes, input), ...termsOf(row, input) }),
  remove: deletePolicy,
}

/** The columns of a new policy. Throws `invalid` if its values contradict each other. */
export function toPolicyColumns(input: PolicyInput) {
  return { ...newColumns(policy.attributes, input), ...termsOf(undefined, input) }
}

/** Throws for tags and claimants that the organization lacks. */
export function assertScopeKnown(
  reader: Reader,
  { organization_id, row, input }: { organization_id: number; row: PolicyRow | undefined; input: Partial<PolicyInput> },
): Promise<void> {
  return assertKnown(reader, {
    organization_id,
    lists: [
      { attribute: 'tag_ids', of: 'tags', before: row?.tag_ids, asked: input.tag_ids },
      { attribute: 'claimant_ids', of: 'users', before: row?.claimant_ids, asked: input.claimant_ids },
    ],
  })
}

/** The columns of a condition's measure: as given, otherwise as stored; values of another condition are cleared. */
function termsOf(row: PolicyRow | undefined, input: Partial<PolicyInput>) {
  const { condition = row?.condition } = input
  if (condition === undefined) throw invalid('condition', 'blank')
  const { needs, takes } = policyNeeds[condition]
  for (const term of policyTerms) if (isGiven(input[term]) && !isMeasuredBy(condition, term)) throw invalid(term, 'not_for_condition')
  const given = { ...columnsOf(row), ...toColumns(policy.attributes, input), ...('currency' in input ? { currency: input.currency } : {}) }
  const kept = <T extends Exclude<PolicyTerm, 'amount'>>(term: T) => (isMeasuredBy(condition, term) ? (given[term] ?? null) : null)
  const amount = isMeasuredBy(condition, 'amount') ? (input.amount === undefined ? amountOf(row) : input.amount) : null
  const terms = {
    currency: kept('currency'),
    days: kept('days'),
    period: kept('period'),
    distance: kept('distance'),
    distance_kind: kept('distance_kind'),
    dates: kept('dates'),
    tax_ids: kept('tax_ids'),
  }
  const scope = { tag_ids: given.tag_ids, claimant_ids: given.claimant_ids, currencies: given.currencies, kinds: given.kinds }
  const all = { ...terms, ...scope, amount }
  // Optional values must be given together or not at all.
  const isTaken = takes.some((term) => isGiven(all[term]))
  for (const name of [...needs, ...(isTaken ? takes : [])]) if (!isGiven(all[name])) throw invalid(name, 'blank')
  assertHolds({ condition, currency: terms.currency, scope })
  return { ...terms, ...moneyOf({ amount, currency: terms.currency }, row) }
}

type Scope = Readonly<Record<PolicyScope, string | null | undefined>>

function assertHolds({ condition, currency, scope }: { condition: PolicyRow['condition']; currency: string | null; scope: Scope }) {
  const never = findContradiction({
    condition,
    currency,
    tag_ids: fromListColumn('tags', scope.tag_ids ?? null).map(Number),
    currencies: fromListColumn('currencies', scope.currencies ?? null).map(String),
    kinds: fromListColumn('kinds', scope.kinds ?? null).map(String),
  })
  if (never) throw invalid(never, 'never_holds')
}

function columnsOf(row: PolicyRow | undefined): Partial<PolicyRow> {
  return row ?? {}
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
}

function amountOf(row: PolicyRow | undefined): number | null {
  return row?.amount_minor == null || row.currency === null ? null : fromMinor(row.amount_minor, row.currency)
}

function moneyOf({ amount, currency }: { amount: number | string | null; currency: string | null }, row: PolicyRow | undefined) {
  if (currency !== null) assertCurrencyInUse(currency, { kept: row?.currency })
  if (amount === null || currency === null) return { amount_minor: null, amount_scaled: null, currency }
  return { ...toStoredAmount(amount, { currency, attribute: 'amount' }), currency }
}
