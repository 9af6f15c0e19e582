import { EventEmitter } from 'node:events'
import { browserSession, openTarget } from '#test/desktop/stand-in/browser'
import type { Session } from '#test/desktop/stand-in/devtools'
import type { CallingFrame, IpcResponse } from '#test/desktop/stand-in/ipc'

/** What a page is opened with. */
export interface PageParts {
  /** What runs in it before its own scripts. */
  readonly preload: string
  /** Answers its calls of the main process. */
  readonly answer: (frame: CallingFrame, channel: string, text: string) => Promise<IpcResponse>
}

interface PageEvents {
  readonly 'dom-ready': []
  readonly load: []
  readonly crash: []
  readonly close: []
  /** It asked for an address that is not the application's. */
  readonly outside: [url: string]
}

/** A page that is closed while the driver of a spec attaches to it stays paused, and the page that opened it with it. */
const untilAttachedMs = 250

/** A page of the one Chromium. */
export class ChromiumPage extends EventEmitter<PageEvents> {
  /** The address that it shows, as Chromium knows it. */
  url = 'about:blank'
  readonly session: Session
  readonly mainFrame: string
  readonly #targetId: string
  readonly #frames = new Map<string, string>()
  /** The frames that scripts run in, by their contexts. */
  readonly #contexts = new Map<number, string>()

  static async open(parts: PageParts): Promise<ChromiumPage> {
    const [browser, { targetId, session }] = await Promise.all([browserSession(), openTarget()])
    const { frameTree } = await session.send('Page.getFrameTree')
    const page = new ChromiumPage({ targetId, session, mainFrame: frameTree.frame.id })
    page.#follow(browser)
    page.#answer(parts)
    await Promise.all([
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      session.send('Runtime.enable'),
      session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0, maxPostDataSize: 0 }),
      session.send('Runtime.addBinding', { name: '__standInCall' }),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: parts.preload }),
      // Each window of the application answers keys, whichever the browser thinks is in front.
      session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      browser.send('Target.setDiscoverTargets', { discover: true }),
    ])
    return page
  }

  private constructor({ targetId, session, mainFrame }: { targetId: string; session: Session; mainFrame: string }) {
    super()
    this.#targetId = targetId
    this.session = session
    this.mainFrame = mainFrame
  }

  /** Shows an address; done once everything of it is loaded. */
  async goTo(url: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => this.once('load', resolve))
    const { errorText } = await this.session.send('Page.navigate', { url })
    if (errorText !== undefined) throw new Error(`${errorText} (${url})`)
    await loaded
  }

  async resize({ width, height }: { width: number; height: number }): Promise<void> {
    await this.session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 0, mobile: false })
  }

  /** Sends an event of the main process. */
  async tell(channel: string, args: unknown): Promise<void> {
    const expression = `globalThis.__standInEmit?.(${JSON.stringify(channel)}, ${JSON.stringify(args)})`
    await this.session.send('Runtime.evaluate', { expression })
  }

  async close(): Promise<void> {
    await (await browserSession()).send('Target.closeTarget', { targetId: this.#targetId })
  }

  #follow(browser: Session): void {
    const { session } = this
    session.on('Page.domContentEventFired', () => this.emit('dom-ready'))
    session.on('Page.loadEventFired', () => this.emit('load'))
    session.on('Inspector.targetCrashed', () => this.emit('crash'))
    session.on('Page.frameNavigated', ({ frame }) => this.#moveTo(frame.id, frame.url))
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => this.#moveTo(frameId, url))
    session.on('Page.frameDetached', ({ frameId }) => this.#frames.delete(frameId))
    session.on('Network.requestWillBeSent', ({ request: { url } }) => {
      const { protocol, hostname } = new URL(url)
      if (/^(https?|file|ftp|wss?):$/.test(protocol) && !hostname.endsWith('.localhost')) this.emit('outside', url)
    })
    browser.on('Target.targetDestroyed', ({ targetId }) => targetId === this.#targetId && this.emit('close'))
    // Chromium opens first; none of our windows may, and the application was asked.
    browser.on('Target.targetCreated', ({ targetInfo: { openerId, targetId } }) => {
      if (openerId !== this.#targetId) return
      const close = () => void browser.send('Target.closeTarget', { targetId }).catch(() => undefined)
      setTimeout(close, untilAttachedMs)
    })
  }

  #moveTo(frameId: string, url: string): void {
    this.#frames.set(frameId, url)
    if (frameId === this.mainFrame) this.url = url
  }

  #answer({ answer: answer }: PageParts): void {
    const { session } = this
    session.on('Runtime.executionContextCreated', ({ context: { id, auxData } }) => {
      this.#contexts.set(id, String((auxData as { frameId?: string } | undefined)?.frameId))
    })
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => this.#contexts.delete(executionContextId))
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId: contextId }) => {
      const frameId = this.#contexts.get(contextId) ?? ''
      if (name !== '__standInCall') return
      const [id, channel, text] = JSON.parse(payload) as [number, string, string]
      const frame = { url: this.#frames.get(frameId) ?? '', isMain: frameId === this.mainFrame, isGone: () => !this.#frames.has(frameId) }
      void answer(frame, channel, text)
        .then((answered) =>
          session.send('Runtime.evaluate', { expression: `__standInAnswer(${id}, ${JSON.stringify(answered)})`, contextId }),
        )
        .catch(() => undefined)
    })
  }
}
