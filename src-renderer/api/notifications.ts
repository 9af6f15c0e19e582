import { useQuery } from '@tanstack/react-query'
import { type Device, deviceRoutes } from '#shared/contract/devices'
import {
  type NotificationPreferences,
  type NotificationSwitch,
  notificationRoutes,
  userNotificationRoutes,
} from '#shared/contract/notifications'
import { call } from './client'
import { workerPath } from './service-worker'
import { keyRoots } from './keys'

const listSize = 100

/** Reads the user's notification preferences. */
function readNotifications(signal: AbortSignal): Promise<NotificationPreferences> {
  return call(notificationRoutes.show, { signal })
}

/** The user's notification preferences. */
export function useNotifications() {
  return useQuery({ queryKey: keyRoots.notifications, queryFn: ({ signal }) => readNotifications(signal) })
}

/** Changes switches; the others stay unchanged. */
export function turnSwitches(change: Partial<Record<NotificationSwitch, boolean>>): Promise<NotificationPreferences> {
  return call(notificationRoutes.update, { body: change })
}

/** The newest notifications in the user's inbox, and the number of unseen ones. */
export function useInbox({ isSignedIn }: { isSignedIn: boolean }) {
  return useQuery({
    queryKey: keyRoots.inbox,
    queryFn: ({ signal }) => call(userNotificationRoutes.list, { signal }),
    enabled: isSignedIn,
    retry: false,
  })
}

/** Marks the user's notifications as seen, up to and including one. */
export async function markSeen(until_id: number): Promise<void> {
  await call(userNotificationRoutes.see, { body: { until_id } })
}

/** Reads the devices that notifications are pushed to. */
export async function readDevices(signal: AbortSignal): Promise<Device[]> {
  return (await call(deviceRoutes.list, { query: { per_page: listSize }, signal })).devices
}

/** Why this browser cannot receive pushes; undefined when it can. */
export function pushHindrance(): 'insecure' | 'unsupported' | undefined {
  if (!window.isSecureContext) return 'insecure'
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window ? undefined : 'unsupported'
}

/** The push endpoint of this browser; null where it is not subscribed. */
export async function ownEndpoint(): Promise<string | null> {
  if (pushHindrance() !== undefined) return null
  const registration = await navigator.serviceWorker.getRegistration(workerPath)
  return (await registration?.pushManager.getSubscription())?.endpoint ?? null
}

/** Asks the person and subscribes this browser. `denied`: they, or the browser, say no. */
export async function addThisDevice(name: string): Promise<{ kind: 'added' } | { kind: 'denied' }> {
  if ((await Notification.requestPermission()) !== 'granted') return { kind: 'denied' }
  await navigator.serviceWorker.register(workerPath)
  const { pushManager } = await navigator.serviceWorker.ready
  const { public_key } = await call(deviceRoutes.key)
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key })
  const { endpoint, keys = {} } = subscription.toJSON()
  await call(deviceRoutes.create, { body: { name, endpoint, keys } })
  return { kind: 'added' }
}

/** Removes a device; this one also ends its subscription. */
export async function removeDevice({ id, endpoint }: Device): Promise<void> {
  await call(deviceRoutes.destroy, { params: { id } })
  if (endpoint === null || endpoint !== (await ownEndpoint())) return
  const registration = await navigator.serviceWorker.getRegistration(workerPath)
  await (await registration?.pushManager.getSubscription())?.unsubscribe()
}

/** What a person knows this browser by. */
export function browserName(): { browser: string; system: string } {
  const agent = navigator.userAgent
  const find = (known: ReadonlyArray<readonly [RegExp, string]>, other: string) =>
    known.find(([pattern]) => pattern.test(agent))?.[1] ?? other
  return {
    browser: find(
      [
        [/Edg\//, 'Edge'],
        [/Firefox\//, 'Firefox'],
        [/Electron\//, 'Outlay'],
        [/Chrome\//, 'Chrome'],
        [/Safari\//, 'Safari'],
      ],
      'Browser',
    ),
    system: find(
      [
        [/Android/, 'Android'],
        [/iPhone|iPad/, 'iOS'],
        [/Windows/, 'Windows'],
        [/Mac OS/, 'macOS'],
        [/Linux/, 'Linux'],
      ],
      '?',
    ),
  }
}
