import type { Attributes, ColumnsOf } from '#shared/records/attributes'
import { type ShownDefinition, toShown, toShownRecord, visitParties } from '#shared/records/columns'
import type { RecordDefinition } from '#shared/records/definition'
import type { PlacedColumns } from '#main/store/records/organizations/organization-records'
import type { Context } from '../endpoint'
import { type People, loadPeople, toOrganizationParty, toUserParty } from './people'

/** Links of a record that can be read, changed and deleted at one address (contract section 1, "Links"). */
export function memberLinks(href: string): Array<{ rel: string; method: string; href: string }> {
  return [
    { rel: 'self', method: 'GET', href },
    { rel: 'update', method: 'PUT', href },
    { rel: 'partial_update', method: 'PATCH', href },
    { rel: 'destroy', method: 'DELETE', href },
  ]
}

type Counted = NonNullable<RecordDefinition['counts']>

/** Reads the parties of records; `user_ids`: other users shown with addresses. */
export function loadParties<A extends Attributes>(
  context: Context,
  { attributes }: { readonly attributes: A },
  { rows, user_ids = [] }: { rows: ReadonlyArray<Readonly<ColumnsOf<A>>>; user_ids?: readonly number[] },
): Promise<People> {
  const named = { User: [...user_ids], Organization: new Array<number>() }
  for (const row of rows) visitParties(attributes, row, (of, id) => named[of].push(id))
  const with_emails = user_ids.length > 0
  return loadPeople(context, { user_ids: named.User, organization_ids: named.Organization, with_emails })
}

/** A record's representation without tags, embedded records and links. */
export function toRecord<A extends Attributes, C extends Counted = readonly []>(
  definition: ShownDefinition<A, C>,
  row: Parameters<typeof toShownRecord<A, C, unknown>>[1],
  people: People,
) {
  return toShownRecord(definition, row, (of, id) => (of === 'User' ? toUserParty(people, id) : toOrganizationParty(people, id)))
}

/** The common part of organization records: identity, attributes and links. */
export function toOrganizationRecord<A extends Attributes>(
  { table, attributes }: { readonly table: string; readonly attributes: A },
  row: PlacedColumns & Readonly<ColumnsOf<A>>,
) {
  const { id, uid, version, organization_id, created_at, updated_at } = row
  const _links = memberLinks(`/organizations/${organization_id}/${table}/${id}`)
  return { id, uid, version, ...toShown(attributes, row), created_at, updated_at, _links }
}

/** Records of an organization that name people or organizations, with links. */
export async function toRecordsWithParties<A extends Attributes, C extends Counted = readonly []>(
  context: Context,
  definition: ShownDefinition<A, C> & { readonly table: string },
  rows: ReadonlyArray<Parameters<typeof toShownRecord<A, C, unknown>>[1] & { readonly organization_id: number }>,
) {
  const people = await loadParties(context, definition, { rows })
  return rows.map((row) => ({
    ...toRecord(definition, row, people),
    _links: memberLinks(`/organizations/${row.organization_id}/${definition.table}/${row.id}`),
  }))
}
