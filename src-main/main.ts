import { setTimeout as delay } from 'node:timers/promises'
import { Menu, app, protocol, session, shell } from 'electron'
import { systemClock } from './clock'
import { keepCompiledCode } from './config/compiled-code'
import { builtWebFolder, defaultDataFolder } from './config/folders'
import { Arrivals, linkScheme } from './desktop/arrivals'
import { answerCalls } from './desktop/calls'
import type { OpenedDesktop } from './desktop/open-desktop'
import { type Pages, createPages } from './desktop/pages'
import { type InProcess, createInProcess } from './desktop/protocol'
import { giveScreenPictures } from './desktop/screen-picture'
import { guardContents, lockSession, scheme, schemes } from './desktop/security'
import { openSettingsFile } from './desktop/settings-file'
import { sayCannotStart, sayNoRoom, saySetAside } from './desktop/start-messages'
import { Windows } from './desktop/windows'

// Files that it writes are for this user alone.
process.umask(0o077)
// Elsewhere the system checks the package's integrity, and kept code would bypass that check.
if (process.platform === 'linux') keepCompiledCode()
app.enableSandbox()
protocol.registerSchemesAsPrivileged(schemes)

/** The command line's default folder, so that both use the same data. */
const data_folder = defaultDataFolder(process.env)

/** How long the server waits for a page to be served before it loads anyway. */
const patienceMs = 1000

async function start(): Promise<void> {
  const arrivals = new Arrivals()
  arrivals.listen()
  app.setAppUserModelId('org.outlay.desktop')
  app.setAsDefaultProtocolClient(linkScheme)
  app.on('web-contents-created', (_event, contents) => guardContents(contents, (url) => void shell.openExternal(url)))
  await app.whenReady()
  lockSession(session.defaultSession)
  giveScreenPictures(session.defaultSession)
  const settings = openSettingsFile(app.getPath('userData'), systemClock.now())
  const windows = new Windows(settings)
  const { pages, given } = notifyFirst(createPages(builtWebFolder()))
  // The page loads at the same time as the server; its requests wait.
  const opening = Promise.race([given, delay(patienceMs)])
    .then(() => import('./desktop/open-desktop'))
    .then(({ openDesktop }) => openDesktop({ data_folder, settings, windows }))
  const inProcess = createInProcess(() => opening.then(({ outlay }) => outlay), pages)
  protocol.handle(scheme, (request) => inProcess.answer(request))
  answerCalls(() => opening.then(({ desktop }) => desktop.handlers()))
  app.on('window-all-closed', () => app.quit())
  Menu.setApplicationMenu(null)
  arrivals.openIn(windows)
  const started = opening.then(async ({ desktop, outlay }) => {
    if (settings.set_aside !== null) saySetAside(settings.set_aside, desktop.language)
    if (!outlay.store.hasRoom()) sayNoRoom(data_folder, desktop.language)
    await desktop.open()
    await arrivals.deliverTo(desktop)
    return { desktop, outlay }
  })
  quitWhenAllIsWritten(started, inProcess)
  await started
}

/** The same pages, and a promise for the first one served: loading the server blocks this thread, so it starts afterwards. */
function notifyFirst(pages: Pages): { pages: Pages; given: Promise<void> } {
  const { promise: given, resolve } = Promise.withResolvers<void>()
  const telling: Pages = async (request) => {
    const response = await pages(request)
    setImmediate(resolve)
    return response
  }
  return { pages: telling, given }
}

/** Quits only after the start has finished, running writes are done and everything is closed. */
function quitWhenAllIsWritten(started: Promise<OpenedDesktop>, inProcess: InProcess): void {
  let isClosed = false
  let closing: Promise<void> | undefined
  const close = async () => {
    const { desktop, outlay } = await started
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
