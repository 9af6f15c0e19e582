import { setTimeout as sleep } from 'node:timers/promises'
import { findNewestActivityId, findNotificationCursor } from '#main/store/queues/notification-queue'
import type { Instance } from './instance'

const patienceMs = 60_000

/** Waits until something is there; what is asked for may take a few rounds of a job. */
export async function eventually<T>(look: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 20) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(20)
  }
  throw new Error(`There is no ${what}.`)
}

/** Waits until whoever is to be told of all that happened stands in the queue. */
export async function untilNotified({ app }: Instance): Promise<void> {
  const { reader } = app.store
  await eventually(async () => {
    const cursor = await findNotificationCursor(reader)
    return cursor === (await findNewestActivityId(reader)) ? true : undefined
  }, 'end of the trail')
}

/** Who was told, or is to be, of the activities of an event after an activity: `<user id> <channel>` in order. */
export async function notifiedSince(instance: Instance, after: number, event: string): Promise<string[]> {
  await untilNotified(instance)
  const rows = await instance.app.store.reader.db
    .selectFrom('notifications')
    .select(['user_id', 'channel'])
    .where('activity_id', '>', after)
    .where('event', '=', event)
    .execute()
  return rows.map(({ user_id, channel }) => `${user_id} ${channel}`).toSorted()
}

/** The state of a user's notifications, oldest first. */
export function notificationsOf({ app }: Instance, user_id: number) {
  return app.store.reader.db.selectFrom('notifications').selectAll().where('user_id', '=', user_id).orderBy('id').execute()
}
