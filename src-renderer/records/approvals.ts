import { useQuery } from '@tanstack/react-query'
import { approvalRuleRoutes } from '#shared/contract/organization-records/approval-rules'
import { approvalRoutes } from '#shared/contract/organization-records/approvals'
import { standInRoutes } from '#shared/contract/organization-records/stand-ins'
import { call } from '../api/client'
import { expenseKeys } from '../api/expenses'
import { organizationRecordApi } from '../api/organization-records'

/** Every approval rule of an organization, and their writes. */
export const { useAll: useApprovalRules, useWrite: useApprovalRuleWrite } = organizationRecordApi('approval_rules', approvalRuleRoutes)

/** Everyone who stands in for someone in an organization, and the writes of that. */
export const { useAll: useStandIns, useWrite: useStandInWrite } = organizationRecordApi('stand_ins', standInRoutes)

/** Who may approve an expense now. */
export function useApproval({ id: expense_id, version }: { readonly id: number; readonly version: number }) {
  return useQuery({
    queryKey: [...expenseKeys.one(expense_id), 'approvers', version],
    queryFn: ({ signal }) => call(approvalRoutes.ofExpense, { params: { expense_id }, signal }),
    retry: false,
  })
}
