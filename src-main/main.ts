import { app, protocol, session, shell } from 'electron'
import { type App, builtWebFolder, createApp, createLog } from './app'
import { systemClock } from './clock'
import { defaultDataFolder } from './config/settings'
import { Arrivals } from './desktop/arrivals'
import { answerCalls } from './desktop/calls'
import { linkScheme } from './desktop/deep-link'
import { Desktop } from './desktop/desktop'
import { createPages } from './desktop/pages'
import { type InProcess, createInProcess } from './desktop/protocol'
import { giveScreenPictures } from './desktop/screen-picture'
import { createSecretKeeper } from './desktop/secret-keeper'
import { guardContents, lockSession, scheme, schemes } from './desktop/security'
import { openSettingsFile } from './desktop/settings-file'
import { sayCannotStart, saySetAside } from './desktop/start-messages'
import { openSettings } from './snapshots/open-settings'

app.enableSandbox()
protocol.registerSchemesAsPrivileged(schemes)

/** The folder that the command line uses too, so that it speaks of the same data. */
const data_folder = defaultDataFolder(process.env)

async function start(): Promise<void> {
  const arrivals = new Arrivals()
  arrivals.listen()
  app.setAppUserModelId('org.outlay.desktop')
  app.setAsDefaultProtocolClient(linkScheme)
  app.on('web-contents-created', (_event, contents) => guardContents(contents, (url) => void shell.openExternal(url)))
  await app.whenReady()
  lockSession(session.defaultSession)
  giveScreenPictures(session.defaultSession)
  const desktop = await openOutlay()
  app.on('window-all-closed', () => app.quit())
  await arrivals.deliverTo(desktop)
}

async function openOutlay(): Promise<Desktop> {
  const settings = await openSettings(data_folder, { env: process.env, clock: systemClock })
  const log = createLog(settings)
  const secrets = createSecretKeeper(data_folder)
  const outlay = await createApp({
    data_folder,
    settings,
    web_folder: null,
    log,
    tokens: secrets,
    keepsInSync: true,
    showHere: (payload) => desktop.notify(payload),
  })
  await outlay.server.ready()
  const inProcess = createInProcess(outlay, createPages(builtWebFolder()))
  protocol.handle(scheme, (request) => inProcess.answer(request))
  const remembered = openSettingsFile(app.getPath('userData'), systemClock.now())
  const desktop = new Desktop({ outlay, settings: remembered, secrets, data_folder, log })
  answerCalls(desktop.handlers())
  quitWhenAllIsWritten({ desktop, inProcess, outlay })
  if (remembered.set_aside !== null) saySetAside(remembered.set_aside, desktop.language)
  return desktop
}

/** Quits only once what runs is written and everything is closed. */
function quitWhenAllIsWritten({ desktop, inProcess, outlay }: { desktop: Desktop; inProcess: InProcess; outlay: App }): void {
  let isClosed = false
  let closing: Promise<void> | undefined
  const close = async () => {
    await inProcess.end()
    await desktop.close()
    await outlay.close()
  }
  app.on('before-quit', (event) => {
    if (isClosed) return
    event.preventDefault()
    closing ??= close().finally(() => {
      isClosed = true
      app.quit()
    })
  })
}

if (app.requestSingleInstanceLock())
  start().catch((error: unknown) => {
    sayCannotStart(error, data_folder)
    app.exit(1)
  })
else app.exit(0)
