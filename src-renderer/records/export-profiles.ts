import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { exportRoutes } from '#shared/contract/instance/exports'
import { exportProfileRoutes } from '#shared/contract/organization-records/export-profiles'
import { call } from '../api/client'
import { organizationRecordApi } from '../api/organization-records'

/** Every export profile of an organization, and their writes. */
export const { useAll: useExportProfiles, useWrite: useExportProfileWrite } = organizationRecordApi('export_profiles', exportProfileRoutes)

/** The first lines that a layout makes of the newest expenses; nothing while there is none. */
export function useLayoutPreview(organization_id: number, layout: string | undefined) {
  return useQuery({
    queryKey: ['layout-preview', organization_id, layout],
    queryFn: ({ signal }) => call(exportRoutes.preview, { body: { organization_id, layout: layout ?? '' }, signal }),
    enabled: layout !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
}
