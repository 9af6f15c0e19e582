import { BrowserWindow, app, dialog, protocol, session } from 'electron'
import { builtWebFolder, createApp } from './app'
import { readSettings } from './config/settings'
import { answerInProcess } from './desktop/protocol'
import { openWindow } from './desktop/window'

const allowedPermissions = new Set(['media', 'clipboard-sanitized-write'])

protocol.registerSchemesAsPrivileged([
  { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
])

async function start(): Promise<void> {
  await app.whenReady()
  const data_folder = app.getPath('userData')
  const settings = readSettings(data_folder, process.env)
  const outlay = await createApp({ data_folder, settings, web_folder: builtWebFolder(), keepsInSync: true })
  await outlay.server.ready()
  protocol.handle('app', (request) => answerInProcess(outlay, request))
  session.defaultSession.setPermissionRequestHandler((_contents, permission, decide) =>
    decide(allowedPermissions.has(permission)),
  )
  app.on('second-instance', () => BrowserWindow.getAllWindows()[0]?.focus())
  app.on('window-all-closed', () => app.quit())
  let isClosed = false
  app.on('before-quit', (event) => {
    if (isClosed) return
    event.preventDefault()
    void outlay.close().finally(() => {
      isClosed = true
      app.quit()
    })
  })
  openWindow()
}

if (app.requestSingleInstanceLock())
  start().catch((error: unknown) => {
    dialog.showErrorBox('Outlay', error instanceof Error ? error.message : String(error))
    app.exit(1)
  })
else app.quit()
