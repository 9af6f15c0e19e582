import { EventEmitter } from 'node:events'
import { mkdirSync, readFileSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from 'electron'
import { appFolder, pack } from '#test/desktop/stand-in/arguments'
import { closeBrowser } from '#test/desktop/stand-in/browser'
import { record } from '#test/desktop/stand-in/record'
import { strict } from '#test/desktop/stand-in/strict'
import { isInUse, lockFile, userData } from '#test/desktop/stand-in/user-data'
import { BrowserWindow, windowEvents } from '#test/desktop/stand-in/windows'

type AppPart = Pick<
  App,
  | 'isPackaged'
  | 'whenReady'
  | 'isReady'
  | 'getName'
  | 'setName'
  | 'getVersion'
  | 'getLocale'
  | 'getAppPath'
  | 'getPath'
  | 'quit'
  | 'exit'
  | 'relaunch'
  | 'requestSingleInstanceLock'
  | 'setAsDefaultProtocolClient'
  | 'setLoginItemSettings'
  | 'getLoginItemSettings'
  | 'addRecentDocument'
  | 'clearRecentDocuments'
  | 'setBadgeCount'
  | 'setAppUserModelId'
  | 'enableSandbox'
  | 'focus'
  | 'setUserTasks'
>

const knocks = join(userData, 'stand-in-knocks')

class StandInApp extends EventEmitter implements AppPart {
  readonly isPackaged = false
  readonly commandLine = strict('commandLine', { appendSwitch: (...args: string[]) => record('switch', ...args) })
  private name = pack.productName ?? pack.name
  private opensAtLogin = false
  private isQuitting = false
  private readonly becomingReady = Promise.resolve().then(() => void this.emit('ready', {}, {}))

  whenReady = () => this.becomingReady
  isReady = () => true
  getName = () => this.name
  setName(name: string): void {
    this.name = name
  }
  getVersion = () => pack.version
  getLocale = () => process.env.STAND_IN_LOCALE ?? 'en-GB'
  getAppPath = () => appFolder
  getPath(name: string): string {
    if (name === 'temp') return tmpdir()
    const folder = name === 'userData' || name === 'sessionData' ? userData : join(userData, name)
    mkdirSync(folder, { recursive: true })
    return folder
  }

  /** One process a folder: another one knocks, and the first is told of its arguments. */
  requestSingleInstanceLock(): boolean {
    mkdirSync(knocks, { recursive: true })
    if (isInUse()) {
      writeFileSync(join(knocks, `${process.pid}.json`), JSON.stringify({ argv: process.argv, cwd: process.cwd() }))
      return false
    }
    writeFileSync(lockFile, String(process.pid))
    watch(knocks, () => {
      for (const file of readdirSync(knocks)) {
        const text = readOr(join(knocks, file))
        if (text === '') continue
        rmSync(join(knocks, file))
        const { argv, cwd } = JSON.parse(text) as { argv: string[]; cwd: string }
        this.emit('second-instance', {}, argv, cwd, undefined)
      }
    }).unref()
    return true
  }

  setAsDefaultProtocolClient(scheme: string): boolean {
    record('protocolClient', scheme)
    return true
  }
  setLoginItemSettings({ openAtLogin = false }: { openAtLogin?: boolean }): void {
    this.opensAtLogin = openAtLogin
    record('loginItem', openAtLogin)
  }
  getLoginItemSettings = () => ({ openAtLogin: this.opensAtLogin }) as ReturnType<App['getLoginItemSettings']>
  addRecentDocument(path: string): void {
    record('recentDocument', path)
  }
  clearRecentDocuments(): void {
    record('clearRecentDocuments')
  }
  setBadgeCount(count?: number): boolean {
    record('badge', count)
    return true
  }
  setAppUserModelId(id: string): void {
    record('appUserModelId', id)
  }
  setUserTasks(tasks: unknown[]): boolean {
    record('userTasks', tasks)
    return true
  }
  enableSandbox(): void {
    record('enableSandbox')
  }
  focus(): void {
    record('focus')
  }

  quit(): void {
    if (this.isQuitting || this.isStopped('before-quit')) return
    this.isQuitting = true
    for (const window of BrowserWindow.getAllWindows()) window.close()
    if (BrowserWindow.getAllWindows().length > 0) {
      this.isQuitting = false
      return
    }
    if (!this.isStopped('will-quit')) this.exit(0)
  }
  private isStopped(event: string): boolean {
    let isStopped = false
    this.emit(event, { preventDefault: () => (isStopped = true) })
    return isStopped
  }
  exit(code = 0): void {
    this.emit('quit', {}, code)
    if (readOr(lockFile) === String(process.pid)) rmSync(lockFile, { force: true })
    void closeBrowser().finally(() => process.exit(code))
  }
  relaunch(): void {
    record('relaunch')
  }
}

export const app = strict('app', new StandInApp())

windowEvents.on('created', (window: BrowserWindow) => {
  app.emit('browser-window-created', {}, window)
  app.emit('web-contents-created', {}, window.webContents)
})
windowEvents.on('all-closed', () => {
  if (!app.emit('window-all-closed')) app.quit()
})

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
