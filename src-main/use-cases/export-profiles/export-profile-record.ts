import type { z } from 'zod'
import type { exportProfileRoutes } from '#shared/contract/organization-records/export-profiles'
import { type Layout, isDatevLayout, parseLayout } from '#shared/domain/exports/layout'
import { invalid } from '#shared/domain/errors'
import { exportProfile } from '#shared/records/export-profile'
import { profileAttributes } from '#shared/records/exported-attributes'
import { type OrganizationRecord, plainOrganizationRecord } from '../organization-records/plain-organization-record'

/** What an export profile is made from. */
type ProfileInput = z.output<typeof exportProfileRoutes.create.body>

/** Export profiles: their layout is one that can be written. */
export const exportProfileRecord: OrganizationRecord<'export_profiles', ProfileInput> = {
  ...plainOrganizationRecord<'export_profiles'>(exportProfile, 'export_profiles.write'),
  assertValid: (_tx, { input: { layout } }) => {
    if (layout !== undefined) assertLayout(layout)
    return Promise.resolve()
  },
}

/** Throws `invalid` where a text holds no layout, or one of attributes that no expense has. */
export function assertLayout(text: string): Layout {
  const layout = parseLayout(text)
  if (!layout || !hasKnownColumns(layout)) throw invalid('layout', 'invalid')
  return layout
}

function hasKnownColumns(layout: Layout): boolean {
  if (isDatevLayout(layout)) return true
  return layout.columns.every((column) => column.kind !== 'attribute' || profileAttributes.includes(column.attribute))
}
