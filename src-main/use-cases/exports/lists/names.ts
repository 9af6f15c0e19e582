import { type Attributes, columnOf } from '#shared/records/attributes'
import { fromListColumn } from '#shared/records/columns'
import { listSeenCardNames } from '#main/store/records/organizations/corporative-cards'
import { listOrganizationsByIds } from '#main/store/records/organizations/organization-reader'
import { listTagsByIds } from '#main/store/records/organizations/tag-reader'
import { listEmails, listUsersByIds } from '#main/store/records/users/user-reader'
import type { Reader } from '#main/store/core/store'

type Cells = Readonly<Record<string, unknown>>
type ById = ReadonlyMap<number, string>

/** What the rows of a page name, by id. */
export interface Names {
  readonly users: ById
  readonly emails: ById
  readonly organizations: ById
  readonly tags: ById
  readonly corporative_cards: ById
}

/** Where a page of rows holds the ids of people, organizations, tags and cards. */
function idsIn(attributes: Attributes, rows: readonly Cells[]) {
  const ids = { users: new Set<number>(), organizations: new Set<number>(), tags: new Set<number>(), cards: new Set<number>() }
  const add = (set: Set<number>, value: unknown) => typeof value === 'number' && set.add(value)
  for (const { organization_id } of rows) add(ids.organizations, organization_id)
  for (const [name, attribute] of Object.entries(attributes)) {
    const column = columnOf(name, attribute)
    for (const { [column]: value } of rows) {
      if (attribute.kind === 'party') add(attribute.of === 'User' ? ids.users : ids.organizations, value)
      if (attribute.kind === 'record' && attribute.to === 'tags') add(ids.tags, value)
      if (attribute.kind === 'record' && attribute.to === 'corporative_cards') add(ids.cards, value)
      if (attribute.kind === 'list' && (attribute.of === 'users' || attribute.of === 'tags'))
        for (const id of fromListColumn(attribute.of, typeof value === 'string' ? value : null)) add(ids[attribute.of], Number(id))
    }
  }
  return ids
}

/** Reads what the rows of a page name. */
export async function readNames(
  reader: Reader,
  rows: readonly Cells[],
  { attributes, user_id }: { attributes: Attributes; user_id: number },
): Promise<Names> {
  const ids = idsIn(attributes, rows)
  const people = [...ids.users]
  const emails = Map.groupBy(await listEmails(reader, people), (email) => email.user_id)
  return {
    users: new Map(
      (await listUsersByIds(reader, people)).map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`.trim()]),
    ),
    emails: new Map([...emails].map(([id, [first]]) => [id, first?.email ?? ''])),
    organizations: new Map((await listOrganizationsByIds(reader, [...ids.organizations])).map(({ id, name }) => [id, name])),
    tags: new Map((await listTagsByIds(reader, [...ids.tags])).map(({ id, name }) => [id, name])),
    corporative_cards: ids.cards.size === 0 ? new Map() : await listSeenCardNames(reader, [...ids.cards], user_id),
  }
}
