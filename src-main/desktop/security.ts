import type { CustomScheme, Session, WebContents, WebPreferences } from 'electron'

/*
 * Everything that keeps pages inside, in one file; test/desktop/hardening.spec.ts reads it back from each window. See also
 * the policy of the pages (src-main/http/server/page-headers.ts), the sandbox of files (src-main/http/files/files.ts), the calls a page
 * may make (src-shared/desktop/bridge.ts) and the fuses of the packaged program (electron-builder.yml).
 */

/** The scheme of the application's own pages: no port is open, `protocol.handle` responds. */
export const scheme = 'app'
/** The origin of the application's own pages. */
export const appOrigin = `${scheme}://outlay`

/** A secure context with a separate origin, without server-only features: no CORS, no service workers, no way past the policy. */
export const schemes: CustomScheme[] = [
  { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true } },
]

/** What every window is opened with. */
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
  // It would send typed text to a service for a dictionary, and underline people's names.
  spellcheck: false,
} as const satisfies WebPreferences

/** The switches burnt into the packaged program; electron-builder.yml gives the same to the packager. */
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

/** Whether an address is a page of ours. */
export function isOurPage(url: string): boolean {
  return URL.canParse(url) && `${new URL(url).protocol}//${new URL(url).host}` === appOrigin
}

/** What a page asks to be allowed, as far as it matters. */
interface Wish {
  readonly permission: string
  readonly url: string
  readonly isMainFrame: boolean
  readonly media: readonly string[]
}

/** The camera without the microphone, a picture of the screen, and copying: nothing else, and only for our own pages. */
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

/** Whether an address stays in the application: its pages and what they made themselves. */
function isInside(url: string): boolean {
  return isOurPage(url) || /^(blob|data|devtools):/.test(url)
}

/** Keeps the contents of a window, or of whatever else is made, on our own pages; `openOutside` hands an address to the browser. */
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

/** What may be handed to the system: an address on the web or of a person, never a program or a file. */
export function isForTheBrowser(url: string): boolean {
  return URL.canParse(url) && ['https:', 'mailto:'].includes(new URL(url).protocol)
}
