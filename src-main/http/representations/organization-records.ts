import type { Attributes, ColumnsOf } from '#shared/records/attributes'
import { toShown } from '#shared/records/columns'
import type { PlacedColumns } from '#main/store/records/organizations/organization-row'
import { memberLinks } from './links'

/** The common part of organization records: identity, attributes and links. */
export function toOrganizationRecord<A extends Attributes>(
  { table, attributes }: { readonly table: string; readonly attributes: A },
  row: PlacedColumns & Readonly<ColumnsOf<A>>,
) {
  const { id, uid, version, organization_id, created_at, updated_at } = row
  const _links = memberLinks(`/organizations/${organization_id}/${table}/${id}`)
  return { id, uid, version, ...toShown(attributes, row), created_at, updated_at, _links }
}
