import { policyRoutes } from '#shared/contract/organization-records/policies'
import { organizationRecordApi } from '../api/organization-records'

/** Every policy of an organization, and their writes. */
export const {
  allOf: policiesOf,
  useAll: usePolicies,
  useWrite: usePolicyWrite,
} = organizationRecordApi('policies', policyRoutes)
