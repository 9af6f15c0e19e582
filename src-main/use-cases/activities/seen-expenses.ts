import type { Activity } from '#main/store/records/conversations/activity-reader'
import type { ActivityDetail } from '#main/store/records/conversations/activity-details'
import { listSeenAmong } from '#main/store/records/settlements/accountability-reader'
import type { Reader } from '#main/store/core/store'
import { getAudience } from '#main/store/sync/audience'
import { idsIn } from './names'
import { type Names, toIds } from './sentence'

/** The titles of expenses in entries about reports, for those that a user may see. */
export async function listSeenExpenses(reader: Reader, user_id: number, rows: readonly Activity[]): Promise<Names['expenses']> {
  const ids = new Set(idsIn(rows, 'expenses'))
  return ids.size === 0 ? new Map() : listSeenAmong(reader, [...ids], await getAudience(reader, user_id))
}

/** An entry without the ids of expenses that the user does not see. */
export function withoutUnseen(row: Activity, seen: Names['expenses']): Activity {
  const keep = (value: ActivityDetail['from']) =>
    toIds(value)
      .filter((id) => seen.has(id))
      .join(', ')
  const details = row.details.map((detail) =>
    detail.attribute === 'expense_ids' ? { ...detail, from: keep(detail.from), to: keep(detail.to) } : detail,
  )
  return { ...row, details }
}
