import { closingRoutes } from '#shared/contract/organization-records/closings'
import { organizationRecordApi } from '../api/organization-records'

/** Every month that an organization closed, reopened ones too, and the writes of that. */
export const { useAll: useClosings, useWrite: useClosingWrite } = organizationRecordApi('closings', closingRoutes)
