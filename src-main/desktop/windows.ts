import { join } from 'node:path'
import { BrowserWindow, type Rectangle, dialog, screen } from 'electron'
import type { EventName, Events } from '#shared/desktop/bridge'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import { notifyPage } from './calls'
import icon from './icons/icon.png?asset'
import { appOrigin, pagePreferences } from './security'
import type { SettingsFile, WindowPlace } from './settings-file'
import { systemLanguage } from './start-messages'

/** The initial size of a window, and the smallest size that fits the interface. */
const usualSize = { width: 1360, height: 860 }
const leastSize = { width: 900, height: 600 }
/** How much of the title bar must be on a screen so that it can be dragged. */
const reachPx = 100

/** Where a window opens: its last place if that is still on a screen, otherwise the middle, as large as the screen allows. */
function placeToOpen(remembered: WindowPlace | null, screens: readonly Rectangle[]): Partial<Rectangle> {
  const [first = { x: 0, y: 0, ...usualSize }] = screens
  if (remembered && screens.some((screen) => isReachable(remembered, screen))) {
    const { x, y, width, height } = remembered
    return { x, y, width: Math.max(width, leastSize.width), height: Math.max(height, leastSize.height) }
  }
  return { width: Math.min(usualSize.width, first.width), height: Math.min(usualSize.height, first.height) }
}

function isReachable({ x, y, width }: Rectangle, screen: Rectangle): boolean {
  const shown = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x)
  return shown >= reachPx && y >= screen.y && y <= screen.y + screen.height - reachPx
}

const captureSize = { width: 520, height: 760 }
const firstPath = '/review'

/** The main window, and one for quick capture. */
export class Windows {
  readonly #settings: SettingsFile
  #main: BrowserWindow | undefined
  #capture: BrowserWindow | undefined
  #isLoaded = false
  #isQuitting = false
  #onShown = () => {}
  constructor(settings: SettingsFile) {
    this.#settings = settings
  }

  /** Calls `listener` when the main window is shown, so that its taskbar progress can be shown again. */
  onShown(listener: () => void): void {
    this.#onShown = listener
  }

  get language(): Language {
    return this.#settings.get('preferences').language ?? systemLanguage()
  }

  get main(): BrowserWindow | undefined {
    return this.#main
  }

  /** Shows the main window, at a path if given. The current page is not loaded again. */
  openMain(path?: string): void {
    const window = this.#main
    if (!window) return this.#create(path ?? firstPath)
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
    if (path === undefined) return
    if (this.#isLoaded) notifyPage(window.webContents, 'open', { path })
    else load(window, path)
  }

  #create(path: string): void {
    const remembered = this.#settings.get('window')
    const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea)
    const window = new BrowserWindow({
      ...placeToOpen(remembered, areas),
      ...commonOptions(),
      minWidth: leastSize.width,
      minHeight: leastSize.height,
      title: 'Outlay',
    })
    this.#main = window
    this.#isLoaded = false
    if (remembered?.is_maximized) window.maximize()
    window.once('ready-to-show', () => window.show())
    window.webContents.on('did-finish-load', () => (this.#isLoaded = true))
    window.webContents.on('render-process-gone', (_event, { reason }) => this.#reopen(reason))
    window.on('show', () => this.#onShown())
    window.on('close', (event) => {
      this.#remember(window)
      if (this.#isQuitting || !this.#settings.get('preferences').stays_in_tray) return
      event.preventDefault()
      window.hide()
    })
    window.on('closed', () => {
      if (this.#main === window) this.#main = undefined
    })
    load(window, path)
  }

  #remember(window: BrowserWindow): void {
    this.#settings.set('window', { ...window.getNormalBounds(), is_maximized: window.isMaximized() })
  }

  /** Reopens a page that crashed: acknowledged data are in the database, typed text is in its drafts. */
  #reopen(reason: string): void {
    if (reason === 'clean-exit' || this.#isQuitting) return
    const say = (key: string) => translate(this.language, `desktop:dialog.${key}`)
    const gone = this.#main
    // The new one first: without a window the program would quit.
    this.#create(firstPath)
    gone?.destroy()
    void dialog.showMessageBox({ type: 'warning', message: say('crashed'), detail: say('crashedText') })
  }

  openCapture(): void {
    if (this.#capture) {
      this.#capture.show()
      this.#capture.focus()
      return
    }
    const window = new BrowserWindow({ ...captureSize, ...commonOptions(), minWidth: 400, minHeight: 480, title: 'Outlay' })
    this.#capture = window
    window.once('ready-to-show', () => window.show())
    window.on('closed', () => (this.#capture = undefined))
    load(window, '/quick-capture')
  }

  closeCapture(): void {
    this.#capture?.close()
  }

  notifyAll<Name extends EventName>(name: Name, event: Events[Name]): void {
    for (const window of [this.#main, this.#capture]) if (window) notifyPage(window.webContents, name, event)
  }

  /** From now on closing a window really closes it. */
  prepareToQuit(): void {
    this.#isQuitting = true
  }
}

function commonOptions() {
  return { show: false, icon, webPreferences: { ...pagePreferences, preload: join(import.meta.dirname, '../preload/preload.cjs') } }
}

/** Loads one of our pages. A load interrupted by another one, or by the window's end, is not an error. */
function load(window: BrowserWindow, path: string): void {
  window.loadURL(`${appOrigin}${path}`).catch(() => undefined)
}
