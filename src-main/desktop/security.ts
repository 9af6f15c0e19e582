import type { CustomScheme, Session, WebContents, WebPreferences } from 'electron'

/*
 * All rules that keep pages inside the application, in one file; test/desktop/hardening.spec.ts checks them in each window. See also the policy of
 * the pages (src-main/http/server/page-headers.ts), the sandbox of files (src-main/http/files/files.ts), the calls a page may make
 * (src-shared/desktop/bridge.ts) and the fuses of the packaged program (electron-builder.yml).
 */

/** The scheme of the application's own pages: no port is open, `protocol.handle` responds. */
export const scheme = 'app'
/** The origin of the application's own pages. */
export const appOrigin = `${scheme}://outlay`

/** A secure context with its own origin, without server-only features: no CORS, no service workers, nothing that bypasses the policy. */
export const schemes: CustomScheme[] = [
  { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true } },
]

/** The preferences of every window. */
export const pagePreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  plugins: false,
  safeDialogs: true,
  // It would send typed text to a dictionary service, and underline people's names.
  spellcheck: false,
} as const satisfies WebPreferences

/** The fuses of the packaged program; electron-builder.yml sets the same ones. */
export const fuses = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
} as const

/** Whether an address is one of our pages. */
export function isOurPage(url: string): boolean {
  return URL.canParse(url) && `${new URL(url).protocol}//${new URL(url).host}` === appOrigin
}

/** A page's permission request, as far as it matters. */
interface Wish {
  readonly permission: string
  readonly url: string
  readonly isMainFrame: boolean
  readonly media: readonly string[]
}

/** Allows the camera without the microphone, a picture of the screen, and copying; only for our own pages. */
export function isPermitted({ permission, url, isMainFrame, media }: Wish): boolean {
  if (!isOurPage(url) || !isMainFrame) return false
  if (permission === 'media') return media.length > 0 && media.every((kind) => kind === 'video')
  return permission === 'clipboard-sanitized-write' || permission === 'display-capture'
}

/** Denies everything that {@link isPermitted} does not allow, and every request that would leave the application. */
export function lockSession(session: Session): void {
  session.setPermissionRequestHandler((...[, permission, decide, details]) =>
    decide(
      isPermitted({
        permission,
        url: details.requestingUrl,
        isMainFrame: details.isMainFrame,
        media: ('mediaTypes' in details ? details.mediaTypes : undefined) ?? [],
      }),
    ),
  )
  session.setPermissionCheckHandler((...[, permission, origin, details]) =>
    isPermitted({
      permission,
      url: origin,
      isMainFrame: details.isMainFrame,
      media: details.mediaType === undefined ? [] : [details.mediaType],
    }),
  )
  session.setDevicePermissionHandler(() => false)
  session.setSpellCheckerEnabled(false)
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isInside(url) }))
}

/** Whether an address is inside the application: its pages and what they created. */
function isInside(url: string): boolean {
  return isOurPage(url) || /^(blob|data|devtools):/.test(url)
}

/** Keeps the contents of a window or view on our own pages; `openOutside` opens an address in the browser. */
export function guardContents(contents: WebContents, openOutside: (url: string) => void): void {
  contents.on('will-navigate', (event) => {
    if (!isOurPage(event.url) || new URL(event.url).pathname.startsWith('/files/')) event.preventDefault()
  })
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    if (isForTheBrowser(url)) openOutside(url)
    return { action: 'deny' }
  })
}

/** Whether an address may be passed to the system: a web or e-mail address, never a program or file. */
export function isForTheBrowser(url: string): boolean {
  return URL.canParse(url) && ['https:', 'mailto:'].includes(new URL(url).protocol)
}
