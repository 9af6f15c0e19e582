import { z } from 'zod'
import { exportProfile } from '#shared/records/export-profile'
import { listedBy, recordShape, writableOf } from '../record-attributes'
import { organizationRecordRoutes } from '../record-routes'
import type { ListOptions } from '../route'

/** A file format of an organization (extension of the contract). */
export const exportProfileRepresentation = z.object(recordShape(exportProfile)).meta({ id: 'ExportProfile' })
export type ExportProfileRepresentation = z.infer<typeof exportProfileRepresentation>

const list = { order: 'created_at', attributes: listedBy(exportProfile.attributes) } as const satisfies ListOptions

/** The endpoints of export profiles. */
export const exportProfileRoutes = organizationRecordRoutes({
  table: exportProfile.table,
  one: 'an export profile',
  many: 'export profiles',
  attributes: writableOf(exportProfile.attributes),
  representation: exportProfileRepresentation,
  list,
  actions: { list: 'export_profiles.list', show: 'export_profiles.list', write: 'export_profiles.write' },
})
