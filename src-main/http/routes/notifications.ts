import type { Row } from '#db/schema'
import {
  type NotificationPreferences,
  notificationChannels,
  notificationRoutes,
  switchNames,
  switchOf,
  userNotificationRoutes,
} from '#shared/contract/notifications'
import { perName } from '#shared/contract/attributes'
import { notFound } from '#shared/domain/errors'
import { notificationEvents } from '#shared/domain/notification-events'
import { translate } from '#shared/i18n/translations'
import { listSwitchedOff } from '#main/store/records/users/notification-preferences'
import { findUser, listEmails } from '#main/store/records/users/user-reader'
import { markNotificationsSeen } from '#main/store/records/users/user-notifications'
import { etagOf } from '#main/use-cases/access/preconditions'
import { readInbox } from '#main/use-cases/notifications/read-inbox'
import { updateNotificationPreferences } from '#main/use-cases/notifications/update-notification-preferences'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPreferences } from '../representations/preferences'
import { memberLinks } from '../representations/records'

async function toNotificationPreferences(context: Context, row: Row<'users'>): Promise<NotificationPreferences> {
  const off = await listSwitchedOff(context.reader, row.id)
  const [main] = await listEmails(context.reader, [row.id])
  return {
    user: await toPreferences(context, row),
    ...perName(switchNames, (name) => !off.has(name)),
    email: main ? { address: main.email, bounced_at: main.bounced_at } : null,
    mail_server: context.deps.settings.has_mail_server,
    _links: memberLinks('/notifications').filter(({ rel }) => rel !== 'destroy'),
  }
}

/** Notification preferences: events and channels (contract 4.18), and the inbox of notifications (extension). */
export const notificationEndpoints: Endpoint[] = [
  query(notificationRoutes.show, async (context) => {
    const user = await findUser(context.reader, context.caller.user_id)
    if (!user) throw notFound()
    return { body: await toNotificationPreferences(context, user), etag: etagOf(user) }
  }),
  ...[notificationRoutes.replace, notificationRoutes.update].map((route) =>
    mutation(route, async (context, { body }) => {
      const user = await updateNotificationPreferences(context.tx, body)
      return { body: await toNotificationPreferences(context, user), etag: etagOf(user) }
    }),
  ),
  query(notificationRoutes.describe, ({ locale }) =>
    Promise.resolve({
      body: notificationEvents.map((event) => ({
        names: notificationChannels.map((channel) => switchOf(channel, event)),
        description: translate(locale, `notifications:events.${event}`),
      })),
    }),
  ),
  query(userNotificationRoutes.list, async ({ reader, caller }) => {
    const { notifications, unseen_count } = await readInbox(reader, caller.user_id)
    return { body: { user_notifications: notifications, unseen_count } }
  }),
  mutation(userNotificationRoutes.see, async ({ tx }, { body }) => {
    await markNotificationsSeen(tx, body.until_id)
    return { body: null }
  }),
]
