import { existsSync } from 'node:fs'
import { findChromium } from './chromium.mjs'
import { SetupError, run, say } from './setup.mjs'

/** The path of a Chromium; as root on Debian one is installed where there is none. Throws {@link SetupError} naming `who` needs it. */
export async function ensureChromium(who) {
  const found = findChromium()
  if (found !== undefined && !existsSync(found))
    throw new SetupError(`${who} need Chromium, and CHROMIUM names ${found}, which is not there.`)
  if (found !== undefined) return found
  if (process.platform === 'linux' && process.getuid() === 0) {
    say('Installing Chromium (apt-get install chromium)…')
    const apt = (...args) => run('apt-get', args, { quiet: true })
    if ((await apt('update')) === 0) await apt('install', '-y', '--no-install-recommends', 'chromium')
  }
  const installed = findChromium()
  if (installed === undefined) throw new SetupError(`${who} need Chromium, Chrome or Edge. Install one, or name it in CHROMIUM.`)
  return installed
}
