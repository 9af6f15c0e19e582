import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { openBridge } from '#test/desktop/stand-in/bridge'
import { DevTools, type Session } from '#test/desktop/stand-in/devtools'
import { userData } from '#test/desktop/stand-in/user-data'
import { chromiumArgs, findChromium, findHeadlessShell } from '../../../scripts/chromium.mjs'

/** The one Chromium whose pages are the windows. */
interface Browser {
  readonly child: ChildProcess
  readonly tools: DevTools
}

let started: Promise<Browser> | undefined

/** Starts it: before the program is loaded, since Electron's Chromium is up before the program is. */
export function startBrowser(): void {
  started = start()
}

/** Ends it, where it was started. */
export async function closeBrowser(): Promise<void> {
  const browser = await started
  if (!browser || browser.child.exitCode !== null || browser.child.signalCode !== null) return
  const gone = once(browser.child, 'exit')
  void browser.tools.browser.send('Browser.close').catch(() => undefined)
  await gone
}

/** The browser itself. */
export async function browserSession(): Promise<Session> {
  return (await running()).tools.browser
}

let firstTarget: Promise<string> | undefined

/** An empty page: the one that the browser came with, then new ones; answers its target and what is said to it. */
export async function openTarget(): Promise<{ targetId: string; session: Session }> {
  const { tools } = await running()
  const isFirst = firstTarget === undefined
  firstTarget ??= findFirst(tools.browser)
  const targetId = isFirst ? await firstTarget : (await tools.browser.send('Target.createTarget', { url: 'about:blank' })).targetId
  const { sessionId } = await tools.browser.send('Target.attachToTarget', { targetId, flatten: true })
  return { targetId, session: tools.session(sessionId) }
}

async function findFirst(browser: Session): Promise<string> {
  const { targetInfos } = await browser.send('Target.getTargets')
  const found = targetInfos.find(({ type }) => type === 'page')
  return found ? found.targetId : (await browser.send('Target.createTarget', { url: 'about:blank' })).targetId
}

function running(): Promise<Browser> {
  if (!started) throw new Error('stand-in: a program that is not the only one has no windows')
  return started
}

/** A whole browser has cameras, screens and all that a page may ask for. It takes two seconds of a processor longer to start. */
const program = (process.env.STAND_IN_WHOLE_BROWSER === '1' ? undefined : findHeadlessShell()) ?? findChromium() ?? 'chromium'

const switches = [
  ...chromiumArgs,
  '--headless',
  '--remote-debugging-pipe',
  // For specs, which drive the same pages.
  '--remote-debugging-port=0',
  '--use-fake-device-for-media-stream',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-breakpad',
  '--disable-dev-shm-usage',
  '--disable-field-trial-config',
  '--disable-hang-monitor',
  '--disable-popup-blocking',
  '--disable-search-engine-choice-screen',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
]

async function start(): Promise<Browser> {
  const port = await openBridge()
  const folder = join(userData, 'Chromium')
  const portFile = join(folder, 'DevToolsActivePort')
  rmSync(portFile, { force: true })
  const args = [
    ...switches,
    `--user-data-dir=${folder}`,
    `--host-resolver-rules=MAP *.localhost:80 127.0.0.1:${port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
    ...(process.env.STAND_IN_CHROMIUM_ARGS ?? '').split(' ').filter(Boolean),
    'about:blank',
  ]
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const [, , , input, output] = child.stdio
  const tools = new DevTools(input as Writable, output as Readable)
  void notifySpecs(portFile)
  return { child, tools }
}

async function notifySpecs(portFile: string): Promise<void> {
  if (!process.send) return
  while (!existsSync(portFile)) await delay(10)
  process.send({ kind: 'browser', cdp: `http://127.0.0.1:${readFileSync(portFile, 'utf8').split('\n')[0] ?? ''}` })
}
