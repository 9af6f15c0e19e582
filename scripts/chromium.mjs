import { existsSync } from 'node:fs'
import { join } from 'node:path'

const linux = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
]
const headlessShell = '/usr/bin/chromium-headless-shell'
const mac = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]
const windows = ['Google\\Chrome\\Application\\chrome.exe', 'Chromium\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe']

/** The path of a Chromium on this machine: `$CHROMIUM` when set, else the first found in its usual places. */
export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  return candidates().find((path) => existsSync(path))
}

/** The path of Debian's Chromium without the frame around its pages, unless `$CHROMIUM` names another browser. */
export function findHeadlessShell() {
  return !process.env.CHROMIUM && existsSync(headlessShell) ? headlessShell : undefined
}

function candidates() {
  if (process.platform === 'darwin') return mac
  if (process.platform !== 'win32') return linux
  const folders = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].filter(Boolean)
  return folders.flatMap((folder) => windows.map((program) => join(folder, program)))
}

/**
 * Turns off what a whole Chromium does around its pages and Electron does not. The drop-downs of the address bar are separate pages of two
 * hundred files, and each new window loads them. Of two such switches only the last counts, so Playwright's relevant ones are here too.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
  'Translate',
]

/** How a browser of tests and measurements is started: as root too, and asking nothing of any host but ours. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join(',')}`,
]
