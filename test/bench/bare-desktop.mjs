// The floor of the desktop's start: the same window around a page with one row on it, and nothing else.
import { BrowserWindow, app, protocol } from 'electron'

const page = `<!doctype html><div role="grid" aria-activedescendant="0"><div role="row" aria-rowindex="2">
<i role="gridcell">1</i><i role="gridcell">2</i><i role="gridcell">3</i></div></div><textarea aria-label="Description"></textarea>
<script>addEventListener('keydown', () => document.querySelector('[role=grid]').setAttribute('aria-activedescendant', '1'))</script>`

protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
if (app.requestSingleInstanceLock()) {
  await app.whenReady()
  protocol.handle('app', () => new Response(page, { headers: { 'content-type': 'text/html' } }))
  void new BrowserWindow({ width: 1280, height: 800 }).loadURL('app://outlay/review')
}
