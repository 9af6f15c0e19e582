import { exportProfileRoutes } from '#shared/contract/organization-records/export-profiles'
import { exportProfile } from '#shared/records/export-profile'
import { exportProfileRecord } from '#main/use-cases/export-profiles/export-profiles'
import type { Endpoint } from '../../endpoint'
import { toOrganizationRecord } from '../../representations/organization-records'
import { organizationRecordEndpoints } from '../organization-records'

/** An organization's own file formats (extension of the contract). */
export const exportProfileEndpoints: Endpoint[] = organizationRecordEndpoints({
  routes: exportProfileRoutes,
  record: exportProfileRecord,
  show: (_context, _role, rows) => rows.map((row) => toOrganizationRecord(exportProfile, row)),
})
