import { Menu, type MenuItemConstructorOptions, Tray, nativeImage } from 'electron'
import type { CallArgument } from '#shared/desktop/bridge'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import trayIcon from './icons/tray.png?asset'
import trayTemplate from './icons/trayTemplate.png?asset'

/** The sync status, as the interface reports it. */
export type Standing = CallArgument<'state.publish'>

/** The actions of the tray. */
export interface TrayActs {
  readonly open: (path?: string) => void
  readonly capture: () => void
  readonly quit: () => void
}

/** Until the interface has reported. */
export const nothingYet: Standing = { unread: 0, to_review: 0, waiting: 0, sync: 'none', progress: null }

/** The icon in the tray: the sync status, waiting work, and quick capture. */
export class TrayIcon {
  readonly #tray: Tray
  readonly #acts: TrayActs
  constructor(acts: TrayActs) {
    this.#acts = acts
    this.#tray = new Tray(nativeImage.createFromPath(process.platform === 'darwin' ? trayTemplate : trayIcon))
    this.#tray.on('click', () => acts.open())
  }

  /** Shows the sync status. */
  show(standing: Standing, language: Language): void {
    this.#tray.setToolTip(`Outlay · ${standingText(standing, language)}`)
    this.#tray.setContextMenu(Menu.buildFromTemplate(this.#menu(standing, language)))
  }

  #menu(standing: Standing, language: Language): MenuItemConstructorOptions[] {
    const say = (key: string, params = {}) => translate(language, `desktop:${key}`, params)
    const { open, capture, quit } = this.#acts
    return [
      { id: 'standing', label: standingText(standing, language), enabled: false },
      { type: 'separator' },
      { id: 'open', label: say('tray.open'), click: () => open() },
      { id: 'review', label: say('tray.review', { count: standing.to_review }), click: () => open('/review') },
      { id: 'quick_capture', label: say('menu.quickCapture'), click: capture },
      { type: 'separator' },
      { id: 'quit', label: say('menu.quit'), click: quit },
    ]
  }
}

/** The sync status in a sentence. */
export function standingText({ sync, waiting }: Standing, language: Language): string {
  const said = translate(language, `desktop:tray.${sync}`)
  return waiting > 0 ? `${said} · ${translate(language, 'desktop:tray.waiting', { count: waiting })}` : said
}
