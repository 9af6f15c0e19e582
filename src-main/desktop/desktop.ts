import { hostname } from 'node:os'
import { Menu, Notification, app, dialog, globalShortcut, powerMonitor, shell } from 'electron'
import type { Logger } from 'pino'
import type { CommandScope, Events } from '#shared/desktop/bridge'
import type { DesktopPreferences, DesktopState, PreferenceChange } from '#shared/desktop/preferences'
import type { CaptureSource } from '#shared/domain/captures'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import type { App } from '#main/app'
import type { PushPayload } from '#main/jobs/job-deps'
import { notifyHere } from '#main/use-cases/notifications/devices'
import { type CallHandlers, notifyPage } from './calls'
import { chooseFiles, chooseFolder } from './dialogs'
import { FolderWatch } from './folder-watch'
import { type CaptureOutcome, captureFile } from './incoming-files'
import { importStatementFile, isStatementFile } from './incoming-statements'
import { type LocalApi, createLocalApi } from './local-api'
import { type ShellAct, applicationMenu } from './menu'
import type { SecretKeeper } from './secret-keeper'
import type { SettingsFile } from './settings-file'
import { type Standing, TrayIcon, nothingYet } from './tray'
import { type Updates, createUpdates } from './updates'
import type { Windows } from './windows'

/** What the desktop needs. */
export interface DesktopParts {
  readonly outlay: App
  readonly windows: Windows
  readonly settings: SettingsFile
  readonly secrets: SecretKeeper
  readonly data_folder: string
  readonly log: Logger
}

/** The most files captured at once. */
const atOnce = 4

/** The desktop around the embedded server: windows, menus, tray, and the system's events and dialogs. */
export class Desktop {
  readonly windows: Windows
  readonly #parts: DesktopParts
  readonly #tray: TrayIcon
  readonly #api: LocalApi
  readonly #updates: Updates
  readonly #watch: FolderWatch
  #scopes: readonly CommandScope[] = []
  #standing: Standing = nothingYet
  #isShortcutTaken = false
  #telling: Promise<void> = Promise.resolve()
  #isClosing = false

  constructor(parts: DesktopParts) {
    this.#parts = parts
    const { outlay, windows, log } = parts
    this.windows = windows
    windows.onShown(() => this.#showStanding())
    this.#tray = new TrayIcon({
      open: (path) => this.windows.openMain(path),
      capture: () => this.windows.openCapture(),
      quit: () => app.quit(),
    })
    this.#api = createLocalApi(outlay)
    this.#updates = createUpdates({ log, language: () => this.language })
    this.#watch = new FolderWatch({
      take: (path) => this.#takeFromFolder(path),
      onCaptured: (count) => this.#tellCaptured(count),
      onChange: () => this.windows.notifyAll('changed', {}),
    })
  }

  get preferences(): DesktopPreferences {
    return this.#parts.settings.get('preferences')
  }

  get language(): Language {
    return this.windows.language
  }

  /** Creates everything around the windows: menus and tray first. */
  async open(): Promise<void> {
    this.#showMenu()
    this.#showStanding()
    await this.#applyPreferences()
    await this.#watch.set(this.#parts.settings.get('watched_folder'))
    powerMonitor.on('resume', () => this.#wake())
    powerMonitor.on('unlock-screen', () => this.#wake())
  }

  /** Releases everything outside: port, shortcut, folder. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.windows.prepareToQuit()
    globalShortcut.unregisterAll()
    this.#updates.set(false)
    await this.#watch.set(null)
    await this.#api.stop()
    await this.#telling
  }

  /** The handler of each call of a page. */
  handlers(): CallHandlers {
    const { secrets, settings } = this.#parts
    const done = (act: () => void) => () => {
      act()
      return null
    }
    return {
      'commands.publish': ({ language, scopes }) => {
        this.#scopes = scopes
        if (language !== this.preferences.language) settings.set('preferences', { ...this.preferences, language })
        this.#showMenu()
        this.#showStanding()
        return null
      },
      'state.publish': (standing) => {
        this.#standing = standing
        this.#showStanding()
        void this.#askToBeTold()
        return null
      },
      'desktop.show': () => this.#state(),
      'preferences.change': (change) => this.#change(change),
      'watched_folder.choose': () => this.#chooseFolder(),
      'watched_folder.stop': () => this.#setFolder(null),
      'quick_capture.open': done(() => this.windows.openCapture()),
      'quick_capture.close': done(() => this.windows.closeCapture()),
      'main.open': ({ path }) => {
        this.windows.openMain(path)
        return null
      },
      'secret.unlock': async ({ passphrase }) => {
        const kind = await secrets.unlock(passphrase)
        if (kind === 'open') this.#wake()
        return { kind }
      },
      'network.back': done(() => void this.#parts.outlay.replica.syncSoon()),
      'updates.look': () => this.#updates.look(),
    }
  }

  /** Captures files that were opened with Outlay or dropped on its icon, and reports failures. */
  async captureAll(paths: readonly string[]): Promise<void> {
    const outcomes: CaptureOutcome[] = []
    for (let start = 0; start < paths.length; start += atOnce)
      outcomes.push(...(await Promise.all(paths.slice(start, start + atOnce).map((path) => this.#capture(path, 'opened')))))
    const refused = outcomes.filter(({ problem }) => problem !== undefined)
    if (refused.length < outcomes.length) this.#tellCaptured(outcomes.length - refused.length)
    if (refused.length === 0) return
    const files = refused.map(({ path, problem }) => `${path}: ${problem ?? ''}`).join('\n')
    void dialog.showMessageBox({
      type: 'warning',
      message: this.#say('dialog.notCaptured'),
      detail: this.#say('dialog.notCapturedText', { files }),
    })
  }

  /** Shows a notification of the server; a click opens its subject. */
  notify({ title, body, url }: PushPayload): void {
    if (!this.preferences.shows_notifications || !Notification.isSupported()) return
    const notification = new Notification({ title, body })
    notification.on('click', () => this.windows.openMain(url))
    notification.show()
  }

  async #capture(path: string, source: CaptureSource): Promise<CaptureOutcome> {
    const outcome = await captureFile(this.#parts.outlay, { path, source })
    if (outcome.problem === undefined) app.addRecentDocument(path)
    return outcome
  }

  /** The watched folder takes receipts and card statements. */
  async #takeFromFolder(path: string) {
    if (!(await isStatementFile(path))) return this.#capture(path, 'folder')
    const { problem, added } = await importStatementFile(this.#parts.outlay, path, (why) => this.#say(`statement.${why}`))
    const words = { title: this.#say('statement.added', { count: added?.count ?? 0 }), body: added?.card ?? '' }
    if (added) this.notify({ ...words, url: '/statements', tag: 'statement' })
    return { path, problem, isTold: true }
  }

  /** Notifications appear here for everyone who signs in on this computer, to any instance. */
  #askToBeTold(): Promise<void> {
    const { outlay, log } = this.#parts
    const ask = async () => {
      if (this.#isClosing) return
      const name = this.preferences.shows_notifications ? this.#say('thisComputer', { name: hostname() }) : null
      await notifyHere(outlay.store, name).catch((error: unknown) => log.error({ err: error }, 'nobody can be told of anything here'))
    }
    return (this.#telling = this.#telling.then(ask))
  }

  #tellCaptured(count: number): void {
    if (this.windows.main?.isFocused() === true) return
    this.notify({ title: this.#say('captured.title', { count }), body: this.#say('captured.body'), url: '/capture', tag: 'captured' })
  }

  #say(key: string, params: Readonly<Record<string, string | number>> = {}): string {
    return translate(this.language, `desktop:${key}`, params)
  }

  /** The computer was asleep: contacts the remote, and lets pages reload. */
  #wake(): void {
    void this.#parts.outlay.replica.syncSoon()
    this.windows.notifyAll('woke', {})
  }

  #showMenu(): void {
    const template = applicationMenu({
      language: this.language,
      scopes: this.#scopes,
      capture_shortcut: this.preferences.capture_shortcut,
      isMac: process.platform === 'darwin',
      isPackaged: app.isPackaged,
      run: (command) => this.#run(command),
      act: (act) => this.#act(act),
    })
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  }

  #run(command: Events['command']): void {
    const { main } = this.windows
    if (main) notifyPage(main.webContents, 'command', command)
  }

  #act(act: ShellAct): void {
    const acts: Record<ShellAct, () => void> = {
      new_expense: () => this.windows.openMain('/capture'),
      quick_capture: () => this.windows.openCapture(),
      open_files: () => void chooseFiles(this.language).then((paths) => this.captureAll(paths)),
      settings: () => this.windows.openMain('/settings'),
      show_data: () => shell.showItemInFolder(this.#parts.data_folder),
      reload: () => this.windows.main?.webContents.reload(),
      quit: () => app.quit(),
    }
    acts[act]()
  }

  #showStanding(): void {
    const { unread, progress } = this.#standing
    this.#tray.show(this.#standing, this.language)
    app.setBadgeCount(unread)
    this.windows.main?.setProgressBar(progress ?? -1)
  }

  async #chooseFolder(): Promise<DesktopState> {
    const folder = await chooseFolder(this.language)
    return folder === undefined ? this.#state() : this.#setFolder(folder)
  }

  async #setFolder(folder: string | null): Promise<DesktopState> {
    this.#parts.settings.set('watched_folder', folder)
    await this.#watch.set(folder)
    return this.#state()
  }

  async #change(change: PreferenceChange): Promise<DesktopState> {
    this.#parts.settings.set('preferences', { ...this.preferences, ...change })
    await this.#applyPreferences()
    this.#showMenu()
    const state = await this.#state()
    this.windows.notifyAll('changed', {})
    return state
  }

  async #applyPreferences(): Promise<void> {
    const { opens_at_login, capture_shortcut, serves_local_api, looks_for_updates } = this.preferences
    if (app.getLoginItemSettings().openAtLogin !== opens_at_login) app.setLoginItemSettings({ openAtLogin: opens_at_login })
    globalShortcut.unregisterAll()
    this.#isShortcutTaken = capture_shortcut !== null && !globalShortcut.register(capture_shortcut, () => this.windows.openCapture())
    await (serves_local_api ? this.#api.start() : this.#api.stop())
    this.#updates.set(looks_for_updates)
    await this.#askToBeTold()
  }

  async #state(): Promise<DesktopState> {
    return {
      preferences: this.preferences,
      watched_folder: this.#parts.settings.get('watched_folder'),
      watch_problem: this.#watch.problem,
      local_api_url: this.#api.url,
      secret: await this.#parts.secrets.state(),
      can_update: this.#updates.can_update,
      is_shortcut_taken: this.#isShortcutTaken,
    }
  }
}
