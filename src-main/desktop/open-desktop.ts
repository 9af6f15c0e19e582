import { type App, createApp, createLog } from '#main/app'
import { systemClock } from '#main/clock'
import { openSettings } from '#main/snapshots/open-settings'
import { Desktop } from './desktop'
import { createSecretKeeper } from './secret-keeper'
import type { SettingsFile } from './settings-file'
import type { Windows } from './windows'

/** What opening the desktop needs. */
export interface OpenDesktopOptions {
  readonly data_folder: string
  readonly settings: SettingsFile
  readonly windows: Windows
}

/** The desktop and its instance. */
export interface OpenedDesktop {
  readonly outlay: App
  readonly desktop: Desktop
}

/** Opens the instance of a data folder and makes the desktop around it. Throws a StartFault, which says what to do. */
export async function openDesktop({ data_folder, settings, windows }: OpenDesktopOptions): Promise<OpenedDesktop> {
  const ofServer = await openSettings(data_folder, { env: process.env, clock: systemClock })
  const log = createLog(ofServer)
  const secrets = createSecretKeeper(data_folder)
  const outlay = await createApp({
    data_folder,
    // Its pages cannot reach outside addresses, and files are accepted offline.
    settings: { ...ofServer, OUTLAY_UPLOAD_BUCKET_URL: undefined },
    web_folder: null,
    log,
    tokens: secrets,
    keepsInSync: true,
    keepsLocation: () => settings.get('preferences').keeps_location,
    showHere: (payload) => desktop.notify(payload),
  })
  const desktop = new Desktop({ outlay, windows, settings, secrets, data_folder, log })
  await outlay.server.ready()
  return { outlay, desktop }
}
