import { z } from 'zod'
import { requiredText } from './fields'
import { unfiltered } from './followables'
import { instantText, pageOf } from './representations'
import { idParams, listQuery, nothing } from './requests'
import { route } from './route'

/** Bytes as browsers' Push API writes them: base64url without padding. */
const base64url = (bytes: number) => requiredText(200).pipe(z.base64url('invalid').refine((text) => bytesIn(text) === bytes, 'invalid'))

function bytesIn(text: string): number {
  return Math.floor((text.replace(/=+$/, '').length * 3) / 4)
}

/** One of the caller's devices for push notifications (extension). `gone_at`: when its push service last reported that the subscription ended. */
export const deviceRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    version: z.int(),
    name: z.string(),
    endpoint: z.string().nullable(),
    gone_at: instantText.nullable(),
    created_at: instantText,
    updated_at: instantText,
  })
  .meta({ id: 'Device' })
export type Device = z.infer<typeof deviceRepresentation>

/** A device's subscription as in `PushSubscription.toJSON()`, with a name for the person. */
const subscription = z.object({
  name: requiredText(100),
  endpoint: requiredText(1000).pipe(z.url('invalid')),
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }, { error: ({ input }) => (input == null ? 'blank' : 'invalid') }),
})

const shared = { query: nothing, action: 'account.manage' } as const

/** The endpoints of devices for push notifications (extension; contract 6.3, "mobile notifications"). */
export const deviceRoutes = {
  list: route({
    ...shared,
    name: 'devices.list',
    method: 'GET',
    path: '/devices',
    summary: "List the caller's devices for push notifications",
    params: nothing,
    query: listQuery,
    list: unfiltered,
    body: nothing,
    response: pageOf('devices', deviceRepresentation),
    status: 200,
  }),
  create: route({
    ...shared,
    name: 'devices.create',
    method: 'POST',
    path: '/devices',
    summary: 'Register a device for push notifications; its endpoint is registered once',
    params: nothing,
    body: subscription,
    response: deviceRepresentation,
    status: 201,
  }),
  destroy: route({
    ...shared,
    name: 'devices.destroy',
    method: 'DELETE',
    path: '/devices/:id',
    summary: 'Send no more push notifications to a device',
    params: idParams,
    body: nothing,
    response: z.null(),
    status: 204,
  }),
  key: route({
    ...shared,
    name: 'devices.key',
    method: 'GET',
    path: '/devices/key',
    summary: 'Show the VAPID public key that browsers subscribe with',
    params: nothing,
    body: nothing,
    response: z.object({ public_key: z.string() }),
    status: 200,
  }),
}
