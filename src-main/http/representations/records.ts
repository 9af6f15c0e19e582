import type { Attributes, ColumnsOf } from '#shared/records/attributes'
import { type ShownDefinition, toShownRecord, visitParties } from '#shared/records/columns'
import type { RecordDefinition } from '#shared/records/definition'
import type { Context } from '../endpoint'
import { type People, loadPeople, toOrganizationParty, toUserParty } from './people'

/** The common part of records: identity, attributes, parties and counts. */

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
