import { closingRoutes } from '#shared/contract/organization-records/closings'
import { closing } from '#shared/records/closing'
import { closingRecord } from '#main/use-cases/closings/closing-record'
import type { Endpoint } from '../endpoint'
import { loadParties, memberLinks, toRecord } from '../representations/records'
import { organizationRecordEndpoints } from './organization-records'

/** Closed months (extension of the contract). */
export const closingEndpoints: Endpoint[] = organizationRecordEndpoints({
  routes: closingRoutes,
  record: closingRecord,
  show: async (context, _role, rows) => {
    const people = await loadParties(context, closing, { rows })
    return rows.map((row) => ({
      ...toRecord(closing, row, people),
      _links: memberLinks(`/organizations/${row.organization_id}/closings/${row.id}`),
    }))
  },
})
