import { EventEmitter } from 'node:events'
import type { Session } from 'electron'
import { browserSession } from '#test/desktop/stand-in/browser'
import { standIn } from '#test/desktop/stand-in/record'
import { strict } from '#test/desktop/stand-in/strict'

type RequestFilter = Parameters<Session['webRequest']['onBeforeRequest']>[0]

/** What pages may ask for, in Electron's words, and Chromium's word for what is granted. */
const grants = [
  { permission: 'media', mediaTypes: ['video'], grant: 'videoCapture' },
  { permission: 'media', mediaTypes: ['audio'], grant: 'audioCapture' },
  { permission: 'geolocation', grant: 'geolocation' },
  { permission: 'notifications', grant: 'notifications' },
  { permission: 'clipboard-read', grant: 'clipboardReadWrite' },
  { permission: 'clipboard-sanitized-write', grant: 'clipboardSanitizedWrite' },
  { permission: 'midi', grant: 'midi' },
] as const

const filters: RequestFilter[] = []

/** Whether the application lets a page ask for an address at all. */
export function isOutsideAllowed(url: string): boolean {
  return filters.every((filter) => {
    let isCancelled = false
    const details = { url, resourceType: 'mainFrame', method: 'GET', id: 0 } as Parameters<NonNullable<RequestFilter>>[0]
    filter?.(details, ({ cancel }) => (isCancelled = cancel === true))
    return !isCancelled
  })
}

/** Asks the handler about each permission as pages would, and gives Chromium what it allows. */
function grantAsAsked(handler: Parameters<Session['setPermissionRequestHandler']>[0]): void {
  standIn.handlers.permissionRequest = handler
  const permissions: (typeof grants)[number]['grant'][] = []
  for (const { permission, grant, ...rest } of grants) {
    const details = { requestingUrl: 'app://outlay/review', isMainFrame: true, securityOrigin: 'app://outlay/', ...rest }
    const contents = { getURL: () => 'app://outlay/review' }
    handler?.(contents as never, permission, (isGranted) => void (isGranted && permissions.push(grant)), details)
  }
  // All that is not named is denied.
  void browserSession().then((session) => session.send('Browser.grantPermissions', { permissions }))
}

const defaultSession = strict(
  'session',
  Object.assign(new EventEmitter(), {
    setPermissionRequestHandler: grantAsAsked,
    setPermissionCheckHandler: (handler) => void (standIn.handlers.permissionCheck = handler),
    setDevicePermissionHandler: (handler) => void (standIn.handlers.devicePermission = handler),
    setDisplayMediaRequestHandler: (handler) => void (standIn.handlers.displayMedia = handler),
    setSpellCheckerEnabled: (isEnabled) => void (standIn.handlers.spellChecker = isEnabled),
    webRequest: strict('webRequest', { onBeforeRequest: (filter: RequestFilter) => void filters.push(filter) } as Session['webRequest']),
  } satisfies Pick<
    Session,
    | 'setPermissionRequestHandler'
    | 'setPermissionCheckHandler'
    | 'setDevicePermissionHandler'
    | 'setDisplayMediaRequestHandler'
    | 'setSpellCheckerEnabled'
    | 'webRequest'
  >),
)

export const session = strict('session', { defaultSession })
