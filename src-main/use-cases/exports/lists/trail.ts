import type { ListFilter } from '#shared/contract/filters'
import type { ListOptions } from '#shared/contract/route'
import type { ListKey, PageWindow } from '#main/store/core/list-query'
import type { Reader } from '#main/store/core/store'
import { type Activity, listVisibleActivities } from '#main/store/records/conversations/activity-reader'
import { listOrganizationsByIds } from '#main/store/records/organizations/organization-reader'
import { listUsersByIds } from '#main/store/records/users/user-reader'
import { listSeenExpenses, withoutUnseen } from '#main/use-cases/activities/seen-expenses'
import { type Cells, type ListColumn, plainColumn } from './list-columns'

/** How an export of the audit trail is narrowed: to a period. */
export const trailOptions: ListOptions = { attributes: { created_at: 'instant' } }

/** The columns of the audit trail. */
export const trailColumns: readonly ListColumn[] = [
  plainColumn('id'),
  plainColumn('occurred_at', 'instant'),
  ...['organization', 'user', 'event', 'subject_type', 'subject_id', 'changes', 'origin'].map((name) => plainColumn(name)),
  plainColumn('created_at', 'instant'),
]

function wordsOf({ details }: Activity): string | null {
  const said = (value: string | number | boolean | null) => (value === null ? '' : String(value))
  return details.map(({ attribute, from, to }) => `${attribute}: ${said(from)} → ${said(to)}`).join('; ') || null
}

/** A page of what happened to what a user may see, of one organization if one is named; `last`: where the next page begins. */
export async function readTrail(
  reader: Reader,
  { user_id, organization_id, filter }: { user_id: number; organization_id: number | undefined; filter: ListFilter },
  window: PageWindow,
): Promise<{ rows: readonly Cells[]; count: number; last: ListKey | undefined }> {
  const { rows: found, count } = await listVisibleActivities(reader, { user_id, conditions: filter.conditions }, window)
  const end = found.length < window.limit ? undefined : found.at(-1)
  const seen = await listSeenExpenses(reader, user_id, found)
  const rows = found
    .filter((row) => organization_id === undefined || row.organization_id === organization_id)
    .map((row) => withoutUnseen(row, seen))
  const users = new Map((await listUsersByIds(reader, [...new Set(rows.map((row) => row.user_id))])).map((user) => [user.id, user]))
  const ids = [...new Set(rows.flatMap((row) => row.organization_id ?? []))]
  const organizations = new Map((await listOrganizationsByIds(reader, ids)).map(({ id, name }) => [id, name]))
  const cells = rows.map((row) => {
    const { first_name = '', last_name = '' } = users.get(row.user_id) ?? {}
    const { id, occurred_at, event, subject_type, subject_id, origin, created_at } = row
    const organization = row.organization_id === null ? null : (organizations.get(row.organization_id) ?? null)
    const user = `${first_name} ${last_name}`.trim()
    return { id, occurred_at, organization, user, event, subject_type, subject_id, changes: wordsOf(row), origin, created_at }
  })
  return { rows: cells, count, last: end && [end.created_at, end.id] }
}
