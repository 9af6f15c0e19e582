import { savedViewRoutes } from '#shared/contract/organization-records/saved-views'
import { savedView } from '#shared/records/saved-view'
import { savedViewRecord } from '#main/use-cases/saved-views/saved-view-record'
import type { Endpoint } from '../endpoint'
import { loadParties, memberLinks, toRecord } from '../representations/records'
import { organizationRecordEndpoints } from './organization-records'

/** Saved views of Review (extension of the contract). */
export const savedViewEndpoints: Endpoint[] = organizationRecordEndpoints({
  routes: savedViewRoutes,
  record: savedViewRecord,
  show: async (context, _role, rows) => {
    const people = await loadParties(context, savedView, { rows })
    return rows.map((row) => ({
      ...toRecord(savedView, row, people),
      _links: memberLinks(`/organizations/${row.organization_id}/saved_views/${row.id}`),
    }))
  },
})
