import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type * as Electron from 'electron'
import { schemes } from '#test/desktop/stand-in/addresses'
import { record, standIn } from '#test/desktop/stand-in/record'
import { strict } from '#test/desktop/stand-in/strict'

function ask<ApiResponse>(kind: string, cancelled: ApiResponse) {
  return async (...args: unknown[]): Promise<ApiResponse> => {
    record(`dialog.${kind}`, args.at(-1))
    return (standIn.dialogAnswers.shift() as ApiResponse | undefined) ?? cancelled
  }
}

export const dialog = strict('dialog', {
  showOpenDialog: ask('open', { canceled: true, filePaths: [] as string[] }),
  showSaveDialog: ask('save', { canceled: true, filePath: '' }),
  showMessageBox: ask('message', { response: 0, checkboxChecked: false }),
  showErrorBox: (title: string, text: string) => {
    record('dialog.error', title, text)
    // What is recorded ends with the process, which this is mostly the end of.
    console.error(`${title}: ${text}`)
  },
} satisfies Partial<Electron.Dialog>)

export const shell = strict('shell', {
  openExternal: async (url: string) => record('openExternal', url),
  openPath: async (path: string) => {
    record('openPath', path)
    return ''
  },
  showItemInFolder: (path: string) => record('showItemInFolder', path),
} satisfies Partial<Electron.Shell>)

/** `STAND_IN_KEYRING`: `none`, or the backend's name; real encryption with a key that stands in for the keyring's. */
const keyring = process.env.STAND_IN_KEYRING ?? 'gnome_libsecret'
const key = createHash('sha256').update('the keyring of the stand-in').digest()
export const safeStorage = strict('safeStorage', {
  isEncryptionAvailable: () => keyring !== 'none',
  getSelectedStorageBackend: () => keyring as ReturnType<Electron.SafeStorage['getSelectedStorageBackend']>,
  encryptString: (text: string) => {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  },
  decryptString: (sealed: Buffer) => {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
    decipher.setAuthTag(sealed.subarray(-16))
    return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString()
  },
} satisfies Partial<Electron.SafeStorage>)

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged: (list: Electron.CustomScheme[]) => record('schemes', list),
  handle: (scheme: string, handler: (request: Request) => Response | Promise<Response>) => void schemes.set(scheme, handler),
} satisfies Partial<Electron.Protocol>)

/** An image is where it came from. */
const image = (source: string) =>
  strict('image', {
    source,
    isEmpty: () => source === '',
    resize: () => image(source),
    setTemplateImage: () => undefined,
    toPNG: () => readFileSync(source),
  })
export const nativeImage = strict('nativeImage', {
  createEmpty: () => image(''),
  createFromPath: (path: string) => image(path),
  createFromDataURL: (url: string) => image(url),
})

export class Notification extends EventEmitter implements Pick<Electron.Notification, 'show' | 'close'> {
  static isSupported = () => true
  readonly options: Electron.NotificationConstructorOptions
  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super()
    this.options = options
    return strict('Notification', this)
  }
  show(): void {
    record('notification', this.options.title, this.options.body)
    standIn.notifications.push(this)
  }
  close(): void {
    this.emit('close')
  }
}

export class Tray extends EventEmitter implements Pick<Electron.Tray, 'setToolTip' | 'setImage' | 'setTitle' | 'destroy'> {
  menu: Menu | null = null
  toolTip = ''
  isGone = false
  constructor(_image: unknown) {
    super()
    const self = strict('Tray', this)
    standIn.trays.push(self)
    return self
  }
  setToolTip(text: string): void {
    this.toolTip = text
  }
  setContextMenu(menu: Menu | null): void {
    this.menu = menu
  }
  setImage(): void {}
  setTitle(): void {}
  destroy(): void {
    this.isGone = true
  }
}

export class MenuItem {
  readonly label: string
  readonly submenu: Menu | undefined
  readonly [option: string]: unknown
  constructor(options: Electron.MenuItemConstructorOptions) {
    const { submenu, label = options.role ?? '' } = options
    Object.assign(this, { enabled: true, visible: true, checked: false }, options)
    this.label = label
    this.submenu = Array.isArray(submenu) ? Menu.buildFromTemplate(submenu) : undefined
  }
}

export class Menu {
  private static application: Menu | null = null
  items: MenuItem[] = []
  static buildFromTemplate(template: Electron.MenuItemConstructorOptions[]): Menu {
    const menu = new Menu()
    menu.items = template.map((options) => new MenuItem(options))
    return menu
  }
  static setApplicationMenu(menu: Menu | null): void {
    Menu.application = menu
  }
  static getApplicationMenu = () => Menu.application
  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id)
      if (found) return found
    }
    return null
  }
}

export const powerMonitor = strict('powerMonitor', new EventEmitter())
export const nativeTheme = strict('nativeTheme', Object.assign(new EventEmitter(), { themeSource: 'system', shouldUseDarkColors: false }))
export const net = strict('net', { isOnline: () => true } satisfies Partial<Electron.Net>)
export const globalShortcut = strict('globalShortcut', {
  register: (accelerator: string, run: () => void) => {
    if (accelerator === process.env.STAND_IN_TAKEN_SHORTCUT) return false
    standIn.native.removeAllListeners(`key:${accelerator}`).on(`key:${accelerator}`, run)
    return true
  },
  unregister: (accelerator: string) => void standIn.native.removeAllListeners(`key:${accelerator}`),
  unregisterAll: () => void standIn.native.removeAllListeners(),
} satisfies Partial<Electron.GlobalShortcut>)

const workArea = { x: 0, y: 0, width: 1920, height: 1040 }
const display = { id: 1, workArea, bounds: { ...workArea, height: 1080 }, scaleFactor: 1 } as Electron.Display
export const screen = strict('screen', {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
  getDisplayMatching: () => display,
} satisfies Partial<Electron.Screen>)

export const desktopCapturer = strict('desktopCapturer', {
  getSources: async () => [{ id: 'screen:1:0', name: 'Screen', display_id: '1' } as Electron.DesktopCapturerSource],
} satisfies Partial<Electron.DesktopCapturer>)
