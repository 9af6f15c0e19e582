import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { BrowserWindow as ElectronWindow, BrowserWindowConstructorOptions, Rectangle } from 'electron'
import { toChromium } from '#test/desktop/stand-in/addresses'
import { pack } from '#test/desktop/stand-in/arguments'
import { carryCall } from '#test/desktop/stand-in/ipc'
import { WebContents, guardNavigation } from '#test/desktop/stand-in/contents'
import { ChromiumPage } from '#test/desktop/stand-in/page'
import { record, standIn } from '#test/desktop/stand-in/record'
import { strict } from '#test/desktop/stand-in/strict'

type WindowPart = Pick<
  ElectronWindow,
  | 'id'
  | 'loadURL'
  | 'show'
  | 'hide'
  | 'focus'
  | 'close'
  | 'destroy'
  | 'isDestroyed'
  | 'isVisible'
  | 'isFocused'
  | 'isMinimized'
  | 'restore'
  | 'minimize'
  | 'isMaximized'
  | 'maximize'
  | 'isFullScreen'
  | 'setFullScreen'
  | 'getBounds'
  | 'getNormalBounds'
  | 'setBounds'
  | 'setTitle'
  | 'getTitle'
  | 'setProgressBar'
  | 'flashFrame'
  | 'setOverlayIcon'
>
/** Who hears of every window: the application. */
export const windowEvents = new EventEmitter()
const windows = new Set<BrowserWindow>()
let lastId = 0
let focused: BrowserWindow | undefined

/** A window is a page of the one Chromium. */
export class BrowserWindow extends EventEmitter implements WindowPart {
  static getAllWindows = () => [...windows]
  static fromWebContents = (contents: { window: BrowserWindow }) => contents.window
  static getFocusedWindow = () => focused ?? null

  readonly id = ++lastId
  readonly options: BrowserWindowConstructorOptions
  readonly webContents: WebContents
  readonly ready: Promise<ChromiumPage>
  page: ChromiumPage | undefined
  private bounds: Rectangle
  private title: string
  private isShown: boolean
  private isGone = false
  private state: 'normal' | 'minimized' | 'maximized' | 'full' = 'normal'
  private wasReady = false

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super()
    this.options = options
    this.bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 }
    this.title = options.title ?? pack.productName ?? pack.name
    this.isShown = options.show !== false
    const self = strict('BrowserWindow', this)
    windows.add(self)
    if (this.isShown) focused = self
    this.webContents = new WebContents(self)
    this.ready = this.open(self)
    windowEvents.emit('created', self)
    return self
  }

  private async open(self: BrowserWindow): Promise<ChromiumPage> {
    const page = await ChromiumPage.open({
      preload: preloadText(this.options.webPreferences?.preload),
      answer: (frame, channel, text) => carryCall({ sender: self.webContents, frame }, channel, text),
    })
    this.page = page
    page.on('dom-ready', () => {
      self.webContents.emit('dom-ready')
      if (this.wasReady) return
      this.wasReady = true
      this.emit('ready-to-show')
    })
    page.on('load', () => self.webContents.emit('did-finish-load'))
    page.on('crash', () => self.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 }))
    page.on('outside', (url) => standIn.outside.push(url))
    page.on('close', () => this.vanish(self))
    await Promise.all([page.resize(this.bounds), guardNavigation(page, self)])
    return page
  }

  async loadURL(address: string): Promise<void> {
    const page = await this.ready
    this.expected = toChromium(address)
    await page.goTo(this.expected)
  }
  /** The address that the application itself loads: nobody is asked about it. */
  expected: string | undefined

  show(): void {
    this.isShown = true
    this.focus()
    this.emit('show')
  }
  hide(): void {
    this.isShown = false
    this.emit('hide')
  }
  focus(): void {
    focused = [...windows].find(({ id }) => id === this.id)
    this.emit('focus')
  }
  isVisible = () => this.isShown
  isFocused = () => focused?.id === this.id
  isDestroyed = () => this.isGone
  isMinimized = () => this.state === 'minimized'
  isMaximized = () => this.state === 'maximized'
  isFullScreen = () => this.state === 'full'
  minimize(): void {
    this.state = 'minimized'
    this.emit('minimize')
  }
  restore(): void {
    this.state = 'normal'
    this.emit('restore')
  }
  maximize(): void {
    this.state = 'maximized'
    this.emit('maximize')
  }
  setFullScreen(isFull: boolean): void {
    this.state = isFull ? 'full' : 'normal'
  }
  getBounds = () => ({ ...this.bounds })
  getNormalBounds = () => ({ ...this.bounds })
  setBounds(bounds: Partial<Rectangle>): void {
    this.bounds = { ...this.bounds, ...bounds }
    void this.ready.then((page) => page.resize(this.bounds))
    this.emit('resize')
    this.emit('move')
  }
  setTitle(title: string): void {
    this.title = title
  }
  getTitle = () => this.title
  setProgressBar(progress: number): void {
    record('progress', progress)
  }
  flashFrame(isFlashing: boolean): void {
    record('flashFrame', isFlashing)
  }
  setOverlayIcon(_icon: unknown, description: string): void {
    record('overlayIcon', description)
  }

  close(): void {
    let isStopped = false
    this.emit('close', { preventDefault: () => (isStopped = true) })
    if (!isStopped) this.destroy()
  }
  destroy(): void {
    const { page } = this
    const self = [...windows].find(({ id }) => id === this.id)
    if (self) this.vanish(self)
    // The browser ends with its last page; the application decides when.
    if (windows.size > 0) void page?.close()
  }
  private vanish(self: BrowserWindow): void {
    if (this.isGone) return
    this.isGone = true
    windows.delete(self)
    if (focused?.id === this.id) focused = [...windows].at(-1)
    this.emit('closed')
    if (windows.size === 0) windowEvents.emit('all-closed')
  }
}

function preloadText(preload: string | undefined): string {
  const runtime = readFileSync(new URL('./preload-runtime.js', import.meta.url), 'utf8')
  const text = preload === undefined ? '' : readFileSync(preload, 'utf8')
  return runtime.replace('/*PLATFORM*/', () => process.platform).replace('/*PRELOAD*/', () => `${text}\n`)
}
