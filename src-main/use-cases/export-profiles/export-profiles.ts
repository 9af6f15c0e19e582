import type { z } from 'zod'
import type { ExportBody } from '#shared/contract/instance/exports'
import type { exportProfileRoutes } from '#shared/contract/organization-records/export-profiles'
import { invalid } from '#shared/domain/errors'
import { type Layout, isDatevLayout, parseLayout } from '#shared/domain/exports/layout'
import { may } from '#shared/domain/permissions'
import { exportProfile } from '#shared/records/export-profile'
import { profileAttributes } from '#shared/records/exported-attributes'
import type { Reader } from '#main/store/core/store'
import { listExpenses } from '#main/store/records/expenses/expense-reader'
import { findExportProfile } from '#main/store/records/organizations/export-profile-reader'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { payerIs, withNames } from '../exports/export-rows'
import { datevPreview } from '../exports/formats/datev'
import { layoutLines } from '../exports/formats/own-layout'
import { type OrganizationRecord, plainOrganizationRecord } from '../organization-records/plain-organization-record'

/** Export profiles, with valid layouts. */
export const exportProfileRecord: OrganizationRecord<'export_profiles', z.output<typeof exportProfileRoutes.create.body>> = {
  ...plainOrganizationRecord<'export_profiles'>(exportProfile, 'export_profiles.write'),
  assertValid: (_tx, { input: { layout } }) => {
    if (layout !== undefined) assertLayout(layout)
    return Promise.resolve()
  },
}

/** Throws `invalid` if a text is not a layout, or names attributes that expenses lack. */
export function assertLayout(text: string): Layout {
  const layout = parseLayout(text)
  if (!layout || !hasKnownColumns(layout)) throw invalid('layout', 'invalid')
  return layout
}

function hasKnownColumns(layout: Layout): boolean {
  if (isDatevLayout(layout)) return true
  return layout.columns.every((column) => column.kind !== 'attribute' || profileAttributes.includes(column.attribute))
}

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

const shownRows = 5

/** The first lines of a file in a layout, with the newest expenses that the user sees in an organization, even if none of them is booked. */
export async function previewLayout(
  reader: Reader,
  { organization_id, user_id, layout }: { organization_id: number; user_id: number; layout: Layout },
): Promise<string[]> {
  const filter = { conditions: [payerIs(organization_id)], search_tags: '', has_tag: undefined, search: undefined }
  const { rows } = await listExpenses(reader, user_id, { filter, sort: [], limit: shownRows, offset: 0 })
  const named = await withNames(reader, rows, { user_id, withReceipts: false })
  const lines = isDatevLayout(layout) ? datevPreview(named, layout) : layoutLines(named, layout)
  return Array.fromAsync(lines, (line) => line.trimEnd())
}
