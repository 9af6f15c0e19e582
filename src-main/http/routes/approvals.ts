import { approvalRoutes } from '#shared/contract/organization-records/approvals'
import { approvalRuleRoutes } from '#shared/contract/organization-records/approval-rules'
import { standInRoutes } from '#shared/contract/organization-records/stand-ins'
import { standsInFor } from '#shared/domain/duties'
import { toInstant } from '#shared/domain/dates'
import { approvalRule } from '#shared/records/approval-rule'
import { standIn } from '#shared/records/stand-in'
import { getVisibleExpense } from '#main/use-cases/access/get-visible-expense'
import { readDeciders, weighApproval } from '#main/use-cases/access/duties'
import { approvalRuleRecord } from '#main/use-cases/approvals/approval-rule-record'
import { standInRecord } from '#main/use-cases/approvals/stand-in-record'
import { type Endpoint, query } from '../endpoint'
import { toOrganizationRecord, toRecordsWithParties } from '../representations/records'
import { loadPeople, toUserParty } from '../representations/people'
import { organizationRecordEndpoints } from './organization-records'

/** Approval rules, stand-ins, and the approvers of an expense (extension of the contract). */
export const approvalEndpoints: Endpoint[] = [
  ...organizationRecordEndpoints({
    routes: approvalRuleRoutes,
    record: approvalRuleRecord,
    show: (_context, _role, rows) => rows.map((row) => toOrganizationRecord(approvalRule, row)),
  }),
  ...organizationRecordEndpoints({
    routes: standInRoutes,
    record: standInRecord,
    show: (context, _role, rows) => toRecordsWithParties(context, standIn, rows),
  }),
  query(approvalRoutes.ofExpense, async (context, { params: { expense_id: id } }) => {
    const { reader, caller, deps } = context
    const { expense } = await getVisibleExpense(reader, { id, user_id: caller.user_id })
    const deciders = await readDeciders(reader, expense.payer_id, toInstant(deps.clock.now()))
    const { approvers, lookers } = await weighApproval(reader, expense, deciders)
    const lenders = new Map(approvers.map((user_id) => [user_id, standsInFor(deciders, user_id)]))
    const user_ids = [...approvers, ...lookers, ...[...lenders.values()].flat()]
    const people = await loadPeople(context, { user_ids })
    const isAlone = (user_id: number) => deciders.members.some((one) => one.user_id === user_id && one.role !== 'analyst')
    return {
      body: {
        approvers: approvers.map((user_id) => ({
          user: toUserParty(people, user_id),
          stands_in_for: isAlone(user_id) ? [] : (lenders.get(user_id) ?? []).map((one) => toUserParty(people, one)),
        })),
        second_look_by: lookers.map((user_id) => toUserParty(people, user_id)),
      },
    }
  }),
]
