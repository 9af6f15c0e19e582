import type { UserNotification } from '#shared/contract/notifications'
import { listActivitiesByIds } from '#main/store/records/conversations/activity-reader'
import { listUserNotifications, type SeenNotification } from '#main/store/records/users/user-notifications'
import { findUser } from '#main/store/records/users/user-reader'
import { getAudience } from '#main/store/sync/audience'
import type { Reader } from '#main/store/core/store'
import { findNotifiedItem } from './find-notified-item'
import { loadWords, pathOf, wordSentence, titleOf } from './words'

const newest = 50

/** Where to go without seeing the entry of the trail. */
const paths: Readonly<Partial<Record<SeenNotification['kind'], string>>> = {
  question: '/statements?list=linesLeft',
  role: '/team',
  stand_in: '/stand-ins',
}

/** The user's newest notifications in their language, and the number of all unseen ones: only what they may see now. */
export async function readInbox(reader: Reader, user_id: number): Promise<{ notifications: UserNotification[]; unseen_count: number }> {
  const user = await findUser(reader, user_id)
  const { rows, unseen_count } = await listUserNotifications(reader, { audience: await getAudience(reader, user_id), limit: newest })
  const activities = await listActivitiesByIds(
    reader,
    rows.flatMap(({ told_id }) => told_id ?? []),
  )
  const told = await Promise.all(activities.map(async (activity) => ({ activity, item: await findNotifiedItem(reader, activity) })))
  const words = user && (await loadWords(reader, user, told))
  const byId = new Map(told.map((one) => [one.activity.id, one]))
  const notifications = rows.map(({ told_id, deleted_at: _gone, is_seen, ...row }) => {
    const one = byId.get(told_id ?? 0)
    const said =
      words && one ? { sentence: wordSentence(words, one), title: titleOf(words, one), path: pathOf(words, one) ?? null } : unsaid(row.kind)
    return { ...row, is_seen: is_seen === 1, ...said }
  })
  return { notifications, unseen_count }
}

function unsaid(kind: SeenNotification['kind']) {
  return { sentence: null, title: null, path: paths[kind] ?? null }
}
