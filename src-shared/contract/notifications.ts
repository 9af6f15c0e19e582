import { z } from 'zod'
import { type NotificationEvent, notificationEvents } from '#shared/domain/notification-events'
import { changeBody, demandedByPut, optional, perName } from './attributes'
import { flag } from './fields'
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
