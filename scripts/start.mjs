// `npm start`: the desktop application, or, where it cannot run, the same application in a browser.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { become, ensureBuild, ensureDependencies, fail, node24, root, say } from './setup.mjs'

try {
  await ensureDependencies()
  await ensureBuild()
  const args = process.argv.slice(2)
  const missing = missingForDesktop()
  if (missing === undefined) {
    become(electron(), [root, ...args])
  } else {
    say(`${missing}: serving Outlay to a browser instead.`)
    become(node24(), [join(root, 'out', 'main', 'cli.js'), 'serve', '--open-link', '--sync', ...args])
  }
} catch (error) {
  fail(error)
}

function missingForDesktop() {
  if (!hasDisplay()) return 'No display'
  if (electron() === undefined) return 'No Electron program (npx install-electron fetches it, ELECTRON_BIN names another)'
  return undefined
}

function hasDisplay() {
  if (process.platform === 'darwin' || process.platform === 'win32') return true
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
}

// Asking the electron package itself would start a download.
function electron() {
  if (process.env.ELECTRON_BIN) return process.env.ELECTRON_BIN
  const folder = join(root, 'node_modules', 'electron')
  const pathFile = join(folder, 'path.txt')
  if (!existsSync(pathFile)) return undefined
  const program = join(folder, 'dist', readFileSync(pathFile, 'utf8').trim())
  return existsSync(program) ? program : undefined
}
