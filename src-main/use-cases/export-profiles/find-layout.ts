import type { ExportBody } from '#shared/contract/instance/exports'
import { type Layout, isDatevLayout } from '#shared/domain/exports/layout'
import { invalid } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import type { Reader } from '#main/store/core/store'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { findExportProfile } from '#main/store/records/organizations/export-profile-reader'
import { assertLayout } from './export-profile-record'

/**
 * The layout of an export; null for formats without one, and for bookings without their own accounts. Throws `invalid` if the caller has no such
 * profile.
 */
export async function findLayout(
  reader: Reader,
  { format, profile_id }: Pick<ExportBody, 'format' | 'profile_id'>,
  user_id: number,
): Promise<Layout | null> {
  if (format !== 'profile' && (format !== 'datev' || profile_id === undefined)) return null
  if (profile_id === undefined) throw invalid('profile_id', 'blank')
  const profile = await findExportProfile(reader, profile_id)
  const role = profile && (await findRole(reader, { organization_id: profile.organization_id, user_id }))
  if (!profile || !may('export_profiles.list', { role })) throw invalid('profile_id', 'invalid')
  const layout = assertLayout(profile.layout)
  if (isDatevLayout(layout) !== (format === 'datev')) throw invalid('profile_id', 'invalid')
  return layout
}
