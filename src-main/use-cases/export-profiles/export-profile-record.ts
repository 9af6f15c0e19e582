import type { z } from 'zod'
import type { exportProfileRoutes } from '#shared/contract/organization-records/export-profiles'
import { type Layout, isDatevLayout, parseLayout } from '#shared/domain/exports/layout'
import { invalid } from '#shared/domain/errors'
import { exportProfile } from '#shared/records/export-profile'
import { profileAttributes } from '#shared/records/exported-attributes'
import { type OrganizationRecord, plainOrganizationRecord } from '../organization-records/plain-organization-record'

type ProfileInput = z.output<typeof exportProfileRoutes.create.body>

/** Export profiles, with valid layouts. */
export const exportProfileRecord: OrganizationRecord<'export_profiles', ProfileInput> = {
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
