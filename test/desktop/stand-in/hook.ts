/**
 * `node --import …/hook.ts out/main/main.js` runs the built main process without Electron: every import of `electron`, of ours
 * and of packages, gets the stand-in.
 */
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import { startBrowser } from '#test/desktop/stand-in/browser'
import { isInUse } from '#test/desktop/stand-in/user-data'

// Node loads this in every worker thread too. A program that finds another one running only knocks, and needs no browser.
if (isMainThread && !isInUse()) startBrowser()

const standIn = new URL('./electron.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url: standIn, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
})
Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: '45.4.1-stand-in', chrome: '156' }, enumerable: true })
Object.defineProperty(process, 'type', { value: 'browser' })
