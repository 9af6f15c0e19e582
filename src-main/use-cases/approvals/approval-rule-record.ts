import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { approvalRuleRoutes } from '#shared/contract/organization-records/approval-rules'
import { invalid } from '#shared/domain/errors'
import { fromMinor } from '#shared/domain/money'
import { approvalRule } from '#shared/records/approval-rule'
import { fromListColumn, newColumns, toColumns } from '#shared/records/columns'
import {
  deleteOrganizationRecord,
  insertOrganizationRecord,
  updateOrganizationRecord,
} from '#main/store/records/organizations/organization-records'
import { assertCurrencyInUse, toStoredAmount } from '../access/amounts'
import { assertKnown } from '../access/assert-known'
import type { OrganizationRecord } from '../organization-records/plain-organization-record'

/** The input for an approval rule. */
export type ApprovalRuleInput = z.output<typeof approvalRuleRoutes.create.body>

/** Approval rules: an authority limits what people may approve, a second look needs two people above an amount. */
export const approvalRuleRecord: OrganizationRecord<'approval_rules', ApprovalRuleInput> = {
  table: 'approval_rules',
  action: 'approval_rules.write',
  assertValid: (tx, { organization_id, row, input }) =>
    assertKnown(tx, {
      organization_id,
      lists: [
        { attribute: 'tag_ids', of: 'tags', before: row?.tag_ids, asked: input.tag_ids },
        { attribute: 'user_ids', of: 'users', before: row?.user_ids, asked: input.user_ids },
      ],
    }),
  insert: (tx, organization_id, input) =>
    insertOrganizationRecord(tx, approvalRule, {
      ...newColumns(approvalRule.attributes, input),
      ...termsOf(undefined, input),
      organization_id,
    }),
  update: (tx, row, input) => {
    const changes = { ...toColumns(approvalRule.attributes, input), ...termsOf(row, input) }
    return updateOrganizationRecord(tx, approvalRule, { row, changes })
  },
  remove: (tx, row) => deleteOrganizationRecord(tx, approvalRule, row),
}

/** The rule's amount with currency, and its people. Throws for values that a rule of this kind cannot have, or lacks. */
function termsOf(row: Row<'approval_rules'> | undefined, input: Partial<ApprovalRuleInput>) {
  const rule = input.rule ?? row?.rule
  const people = input.user_ids ?? fromListColumn('users', row?.user_ids ?? null)
  const tags = input.tag_ids ?? fromListColumn('tags', row?.tag_ids ?? null)
  const stored = row?.amount_minor == null || row.currency === null ? null : fromMinor(row.amount_minor, row.currency)
  const amount = input.amount === undefined ? stored : input.amount
  const currency = input.currency === undefined ? (row?.currency ?? null) : input.currency
  if (rule === 'authority' && people.length === 0) throw invalid('user_ids', 'blank')
  if (rule === 'second_look' && (input.user_ids ?? []).length > 0) throw invalid('user_ids', 'not_for_rule')
  // Without one of the two it would restrict nobody.
  if (amount === null && (rule === 'second_look' || tags.length === 0)) throw invalid('amount', 'blank')
  if (amount !== null && currency === null) throw invalid('currency', 'blank')
  const user_ids = rule === 'second_look' ? { user_ids: null } : {}
  if (amount === null || currency === null) return { ...user_ids, amount_minor: null, amount_scaled: null, currency: null }
  assertCurrencyInUse(currency, { kept: row?.currency })
  return { ...user_ids, ...toStoredAmount(amount, { currency, attribute: 'amount' }), currency }
}
