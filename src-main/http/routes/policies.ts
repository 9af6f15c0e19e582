import { policyRoutes } from '#shared/contract/organization-records/policies'
import { policy } from '#shared/records/policy'
import { versionsOf } from '#main/store/records/organizations/policy-reader'
import { policyRecord } from '#main/use-cases/policies/policy-record'
import { toOrganizationRecord } from '../representations/organization-records'
import { organizationRecordEndpoints } from './organization-records'

/** Policies of an organization (extension of the contract). */
export const policyEndpoints = organizationRecordEndpoints({
  routes: policyRoutes,
  record: policyRecord,
  show: (_context, _role, rows) =>
    rows.map((row) => ({ ...toOrganizationRecord(policy, row), number: versionsOf(row).at(-1)?.number ?? 1 })),
})
