/**
 * Electron's main-process API on plain Node with a real Chromium, as far as Outlay uses it; anything else throws. What it is
 * faithful to, and what not, stands in docs/desktop.md.
 */
import { app } from '#test/desktop/stand-in/app'
import { answerSpecs } from '#test/desktop/stand-in/control'
import { ipcMain } from '#test/desktop/stand-in/ipc'
import * as native from '#test/desktop/stand-in/native'
import { standIn } from '#test/desktop/stand-in/record'
import { session } from '#test/desktop/stand-in/session'
import { strict } from '#test/desktop/stand-in/strict'
import { BrowserWindow } from '#test/desktop/stand-in/windows'

export * from '#test/desktop/stand-in/native'
export { app, BrowserWindow, ipcMain, session }

const electron = strict('electron', { ...native, app, BrowserWindow, ipcMain, session })
// Packages such as electron-store import the whole.
export default electron

answerSpecs({ ...native, app, BrowserWindow, ipcMain, session, standIn })
