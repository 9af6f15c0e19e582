import { z } from 'zod'
import { approvalRule } from '#shared/records/approval-rule'
import { listedBy, recordShape, writableOf } from '../record-attributes'
import { organizationRecordRoutes } from '../record-routes'
import type { ListOptions } from '../route'

/** What some people may approve, or what needs two people (extension of the contract). */
export const approvalRuleRepresentation = z.object(recordShape(approvalRule)).meta({ id: 'ApprovalRule' })
export type ApprovalRuleRepresentation = z.infer<typeof approvalRuleRepresentation>

const ruleListOptions = { order: 'created_at', attributes: listedBy(approvalRule.attributes) } as const satisfies ListOptions

/** The endpoints of approval rules. */
export const approvalRuleRoutes = organizationRecordRoutes({
  table: approvalRule.table,
  one: 'an approval rule',
  many: 'approval rules',
  attributes: writableOf(approvalRule.attributes),
  representation: approvalRuleRepresentation,
  list: ruleListOptions,
  actions: { list: 'approval_rules.list', show: 'approval_rules.list', write: 'approval_rules.write' },
})
