import { tagRoutes } from '#shared/contract/tags'
import { tagRecord } from '#main/use-cases/tags/tag-record'
import { toTags } from '../representations/tags'
import { organizationRecordEndpoints } from './organization-records'

/** Tags (contract 4.7). */
export const tagEndpoints = organizationRecordEndpoints({ routes: tagRoutes, record: tagRecord, show: toTags })
