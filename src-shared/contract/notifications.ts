import { z } from 'zod'
import { type NotificationEvent, notificationEvents } from '#shared/domain/notification-events'
import { changeBody, demandedByPut, optional, perName } from './attributes'
import { userNotificationKinds } from '#shared/records/user-notification'
import { flag, id } from './fields'
import { preferencesRepresentation } from './preferences'
import { instantText, link } from './representations'
import { nothing } from './requests'
import { route } from './route'

/** How a user is notified: `email` by message, `mobile` on their registered devices (contract 2.18). */
export const notificationChannels = ['email', 'mobile'] as const
export type NotificationChannel = (typeof notificationChannels)[number]

/** The name of one of the 40 switches (contract 2.18). */
export type NotificationSwitch = `${NotificationChannel}_on_${NotificationEvent}`

/** The switch of an event and a channel. */
export function switchOf(channel: NotificationChannel, event: NotificationEvent): NotificationSwitch {
  return `${channel}_on_${event}`
}

/** Every switch with its event and channel, in the order of the contract. */
export const notificationSwitches = notificationEvents.flatMap((event) =>
  notificationChannels.map((channel) => ({ name: switchOf(channel, event), channel, event })),
)

/** The names of all switches. */
export const switchNames = notificationSwitches.map(({ name }) => name)

/** The writable notification preferences (contract 4.18): PUT requires all 40. */
export const notificationAttributes = perName(switchNames, () => optional(flag))

/** A user's notification preferences (contract 2.18); `email` is the address for messages, and when it last bounced. */
export const notificationPreferencesRepresentation = z
  .object({
    user: preferencesRepresentation,
    ...perName(switchNames, () => z.boolean()),
    email: z.object({ address: z.string(), bounced_at: instantText.nullable() }).nullable(),
    mail_server: z.boolean().meta({ description: 'Whether a mail server is set up; without one no e-mail is sent' }),
    _links: z.array(link),
  })
  .meta({ id: 'NotificationPreferences' })
export type NotificationPreferences = z.infer<typeof notificationPreferencesRepresentation>

const own = {
  path: '/notification_preferences',
  aliases: ['/notifications'],
  params: nothing,
  query: nothing,
  action: 'account.manage',
  response: notificationPreferencesRepresentation,
  status: 200,
} as const

/** The endpoints of notification preferences (contract 4.18). */
export const notificationRoutes = {
  show: route({
    ...own,
    name: 'notification_preferences.show',
    method: 'GET',
    summary: "Show the caller's notification preferences",
    body: nothing,
  }),
  replace: route({
    ...own,
    name: 'notification_preferences.replace',
    method: 'PUT',
    summary: "Set all of the caller's notification preferences",
    body: changeBody(notificationAttributes),
    demanded: demandedByPut(notificationAttributes),
  }),
  update: route({
    ...own,
    name: 'notification_preferences.update',
    method: 'PATCH',
    summary: "Set some of the caller's notification preferences",
    body: changeBody(notificationAttributes),
  }),
  describe: route({
    name: 'notification_preferences.descriptions',
    method: 'GET',
    path: '/notification_preferences/descriptions',
    summary: 'Describe the notification preferences in the language of the caller',
    action: 'constants.read',
    params: nothing,
    query: nothing,
    body: nothing,
    response: z.array(z.object({ names: z.array(z.string()), description: z.string() })),
    status: 200,
  }),
}

/** A notification in the caller's inbox (extension): an entry of the audit trail that concerns them. */
export const userNotificationRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    version: z.int(),
    user_id: z.int(),
    activity_id: z.int().meta({ description: 'The entry of the audit trail' }),
    kind: z.enum(userNotificationKinds).meta({ description: 'Why it concerns the caller' }),
    is_seen: z.boolean(),
    created_at: instantText,
    updated_at: instantText,
    sentence: z
      .string()
      .nullable()
      .meta({ description: 'What happened, in the language of the caller; null if they do not see the entry' }),
    title: z.string().nullable().meta({ description: 'What it is about' }),
    path: z.string().nullable().meta({ description: 'Where Outlay shows it; null if that is gone' }),
  })
  .meta({ id: 'UserNotification' })
export type UserNotification = z.infer<typeof userNotificationRepresentation>

const inbox = { action: 'account.manage', params: nothing, query: nothing } as const

/** The endpoints of the caller's inbox of notifications (extension). */
export const userNotificationRoutes = {
  list: route({
    ...inbox,
    name: 'user_notifications.list',
    method: 'GET',
    path: '/user_notifications',
    summary: "List the caller's 50 newest notifications, and count the unseen ones",
    body: nothing,
    response: z.object({ user_notifications: z.array(userNotificationRepresentation), unseen_count: z.int() }),
    status: 200,
  }),
  see: route({
    ...inbox,
    name: 'user_notifications.see',
    method: 'POST',
    path: '/user_notifications/seen',
    summary: 'Mark notifications as seen, up to and including one',
    body: z.object({ until_id: id }),
    response: z.null(),
    status: 204,
  }),
}
