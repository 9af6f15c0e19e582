import type { z } from 'zod'
import type { savedViewRoutes } from '#shared/contract/organization-records/saved-views'
import { forbidden } from '#shared/domain/errors'
import { newColumns } from '#shared/records/columns'
import { savedView } from '#shared/records/saved-view'
import { insertOrganizationRecord } from '#main/store/records/organizations/organization-records'
import { type OrganizationRecord, plainOrganizationRecord } from '../organization-records/plain-organization-record'

/** Saved views: only their authors may share or withdraw them. */
export const savedViewRecord: OrganizationRecord<'saved_views', z.output<typeof savedViewRoutes.create.body>> = {
  ...plainOrganizationRecord<'saved_views'>(savedView, 'saved_views.write'),
  createAction: 'saved_views.create',
  assertValid: (tx, { row, input: { is_shared } }) => {
    const isSharing = row !== undefined && is_shared !== undefined && is_shared !== (row.is_shared === 1)
    if (isSharing && row.user_id !== tx.actor.user_id) throw forbidden()
    return Promise.resolve()
  },
  insert: (tx, organization_id, input) =>
    insertOrganizationRecord(tx, savedView, { ...newColumns(savedView.attributes, input), user_id: tx.actor.user_id, organization_id }),
}
