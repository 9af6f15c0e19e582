import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Notification, app } from 'electron'
import type { Logger } from 'pino'
import type { CallResponses } from '#shared/desktop/bridge'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'

/** How often a running program checks for updates. */
const everyMs = 6 * 60 * 60 * 1000

/** Updates a packaged program, if the person allows it. */
export interface Updates {
  readonly can_update: boolean
  look(): Promise<CallResponses['updates.look']>
  /** Starts or stops checking. */
  set(isOn: boolean): void
}

/**
 * Makes the updater of this build. electron-updater accepts only versions with this program's signature (Windows: the certificate's publisher; macOS:
 * Squirrel with the code signature) and the release's checksum, and never an older one. It installs when the person quits. A checkout, a package of
 * the system's package manager, or a program packed without an update address has no updater.
 */
export function createUpdates({ log, language }: { log: Logger; language: () => Language }): Updates {
  const can_update = app.isPackaged && hasAddress() && (process.platform !== 'linux' || process.env.APPIMAGE !== undefined)
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<CallResponses['updates.look']> => {
    if (!can_update) return { kind: 'unavailable' }
    try {
      const { default: updater } = await import('electron-updater')
      const { autoUpdater } = updater
      autoUpdater.allowDowngrade = false
      autoUpdater.autoInstallOnAppQuit = true
      autoUpdater.removeAllListeners('update-downloaded').once('update-downloaded', ({ version }) => {
        const say = (key: string) => translate(language(), `desktop:update.${key}`, { version })
        new Notification({ title: say('title'), body: say('body') }).show()
      })
      const found = await autoUpdater.checkForUpdates()
      return { kind: found?.downloadPromise ? 'downloading' : 'none' }
    } catch (error) {
      log.warn({ err: error }, 'there was no answer about a new version')
      return { kind: 'failed' }
    }
  }
  return {
    can_update,
    look,
    set: (isOn) => {
      clearInterval(timer)
      if (!isOn || !can_update) return
      void look()
      timer = setInterval(() => void look(), everyMs).unref()
    },
  }
}

/** Whether the package has an update address: electron-builder writes it next to the program. */
function hasAddress(): boolean {
  return existsSync(join(process.resourcesPath, 'app-update.yml'))
}
