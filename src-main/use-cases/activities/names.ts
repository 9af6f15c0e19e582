import { activityAttributes } from '#shared/records/audited'
import type { Activity } from '#main/store/records/conversations/activity-reader'
import { findCorporativeCard } from '#main/store/records/organizations/corporative-cards'
import { listOrganizationsByIds } from '#main/store/records/organizations/organization-reader'
import { listTagsByIds } from '#main/store/records/organizations/tag-reader'
import type { Reader } from '#main/store/core/store'
import { listUsersByIds } from '#main/store/records/users/user-reader'
import { type Names, toIds } from './sentence'

/** The ids of records of these kinds in old and new values. */
export function idsIn(
  rows: readonly Activity[],
  ...kinds: ReadonlyArray<'user' | 'users' | 'organization' | 'card' | 'tag' | 'tags' | 'expenses'>
): number[] {
  const details = rows.flatMap((row) => row.details).filter(({ attribute }) => kinds.some((kind) => kind === activityAttributes[attribute]))
  return details.flatMap(({ from, to }) => [...toIds(from), ...toIds(to)])
}

/** The names of cards and tags for the sentences of these activities, by id. */
export async function loadRecordNames(reader: Reader, rows: readonly Activity[]): Promise<Pick<Names, 'cards' | 'tags'>> {
  const cards = await Promise.all([...new Set(idsIn(rows, 'card'))].map((id) => findCorporativeCard(reader, id)))
  const tags = await listTagsByIds(reader, idsIn(rows, 'tag', 'tags'))
  return {
    cards: new Map(cards.flatMap((card) => (card ? [[card.id, card.name]] : []))),
    tags: new Map(tags.map(({ id, name }) => [id, name])),
  }
}

/** All names for the sentences of these activities, except those of expenses. */
export async function loadNames(reader: Reader, rows: readonly Activity[]): Promise<Omit<Names, 'expenses'>> {
  const users = await listUsersByIds(reader, [...new Set([...rows.map(({ user_id }) => user_id), ...idsIn(rows, 'user', 'users')])])
  const organizations = await listOrganizationsByIds(reader, [...new Set(idsIn(rows, 'organization'))])
  return {
    users: new Map(users.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`.trim()])),
    organizations: new Map(organizations.map(({ id, name }) => [id, name])),
    ...(await loadRecordNames(reader, rows)),
  }
}
