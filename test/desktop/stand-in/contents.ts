import { EventEmitter } from 'node:events'
import type { WebContents as ElectronContents, WebPreferences } from 'electron'
import { fromChromium } from '#test/desktop/stand-in/addresses'
import { toJson } from '#test/desktop/stand-in/ipc'
import type { ChromiumPage } from '#test/desktop/stand-in/page'
import { record, standIn } from '#test/desktop/stand-in/record'
import { isOutsideAllowed } from '#test/desktop/stand-in/session'
import { strict } from '#test/desktop/stand-in/strict'

/** What contents know of the window that shows them. */
export interface ShownWindow {
  readonly id: number
  readonly ready: Promise<ChromiumPage>
  readonly page: ChromiumPage | undefined
  readonly options: { readonly webPreferences?: WebPreferences }
  readonly webContents: WebContents
  expected: string | undefined
  isDestroyed(): boolean
}

type ContentsPart = Pick<
  ElectronContents,
  'id' | 'send' | 'getURL' | 'setWindowOpenHandler' | 'isDestroyed' | 'reload' | 'openDevTools' | 'setIgnoreMenuShortcuts'
>
type OpenHandler = Parameters<ElectronContents['setWindowOpenHandler']>[0]

/** What Electron 45 gives pages that are told nothing else. */
const defaultPreferences = {
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
  spellcheck: true,
  plugins: false,
}

/** The contents of a window. */
export class WebContents extends EventEmitter implements ContentsPart {
  readonly id: number
  readonly window: ShownWindow
  openHandler: OpenHandler | undefined

  constructor(window: ShownWindow) {
    super()
    this.window = window
    this.id = window.id
    return strict('webContents', this)
  }

  /** Sends to the page; it is dropped when the page goes meanwhile, as in Electron. */
  send(channel: string, ...args: unknown[]): void {
    const copies = toJson(args)
    void this.window.ready.then((page) => page.tell(channel, copies)).catch(() => undefined)
  }

  getURL(): string {
    return fromChromium(this.window.page?.url ?? '')
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler
  }

  isDestroyed(): boolean {
    return this.window.isDestroyed()
  }

  reload(): void {
    void this.window.page?.session.send('Page.reload')
  }

  openDevTools(): void {
    record('openDevTools')
  }

  setIgnoreMenuShortcuts(): void {}

  /** Not in Electron's types, and there nevertheless. */
  getLastWebPreferences() {
    return { ...defaultPreferences, ...this.window.options.webPreferences }
  }
}

/** Asks the application before a page goes anywhere or opens a window, as Electron does; what it loads itself passes. */
export async function guardNavigation({ session, mainFrame }: ChromiumPage, window: ShownWindow): Promise<void> {
  session.on('Fetch.requestPaused', ({ requestId, request, frameId }) => {
    const url = fromChromium(request.url)
    const isMain = frameId === mainFrame
    let isStopped = false
    const event = { url, isMainFrame: isMain, preventDefault: () => (isStopped = true) }
    if (request.url === window.expected) window.expected = undefined
    else {
      window.webContents.emit('will-frame-navigate', event)
      if (isMain) window.webContents.emit('will-navigate', event, url)
    }
    const isAllowed = !isStopped && isOutsideAllowed(url)
    if (!isAllowed) standIn.outside.push(url)
    void session
      .send(isAllowed ? 'Fetch.continueRequest' : 'Fetch.failRequest', { requestId, errorReason: 'Aborted' } as never)
      .catch(() => undefined)
  })
  session.on('Page.windowOpen', ({ url }) => {
    const address = fromChromium(url)
    const details = {
      url: address,
      frameName: '',
      features: '',
      disposition: 'new-window',
      referrer: { url: '', policy: 'default' },
    } as const
    window.webContents.openHandler?.(details)
  })
  await session.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] })
}
