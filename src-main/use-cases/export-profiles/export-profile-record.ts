import type { z } from 'zod'
import type { exportProfileRoutes } from '#shared/contract/organization-records/export-profiles'
import { parseLayout } from '#shared/domain/exports/layout'
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
export function assertLayout(text: string) {
  const layout = parseLayout(text)
  const isKnown = layout?.columns.every((column) => column.kind !== 'attribute' || profileAttributes.includes(column.attribute))
  if (!layout || !isKnown) throw invalid('layout', 'invalid')
  return layout
}
