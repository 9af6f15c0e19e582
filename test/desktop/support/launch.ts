import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type BrowserContext, type Page, _electron, chromium } from '@playwright/test'
import type * as Electron from 'electron'
import type { standIn } from '#test/desktop/stand-in/record'

const root = join(import.meta.dirname, '../../..')
const main = join(root, 'out/main/main.js')
const hook = join(root, 'test/desktop/stand-in/hook.ts')

/** The program of a real Electron; without one the stand-in runs. */
export const electronProgram = process.env.ELECTRON_BIN

/** Whether a real Electron runs: what needs the stand-in's record is skipped there, each with its reason. */
export const isRealElectron = electronProgram !== undefined

/** What runs in the main process: Electron, and on the stand-in what it recorded. */
export type MainSide = typeof Electron & { readonly standIn: typeof standIn }

/** A running desktop application. */
export interface Desktop {
  readonly process: ChildProcess
  /** What it wrote to its streams so far. */
  readonly output: readonly string[]
  /** The pages of its windows. */
  pages(): Page[]
  /** The page of the main window. */
  mainPage(): Promise<Page>
  /** The page that another window shows once it is there. */
  pageAt(path: string): Promise<Page>
  /** Runs a function in the main process; what it gives and gets is JSON. */
  evaluate<Result, Argument = undefined>(
    run: (main: MainSide, argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result>
  /** Asks it to quit, and waits. */
  quit(): Promise<number | null>
  /** Ends it without a warning, its pages too. */
  kill(): Promise<void>
}

/** How it is started. `args`: what a person or the system adds, such as a link. */
export interface Launching {
  readonly folder: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** For tests of cameras, of screens, and of what a page can get at: see `stand-in/browser.ts`. */
export const wholeBrowser = { STAND_IN_WHOLE_BROWSER: '1' }

/** Starts the built application on a data folder. */
export function launch(launching: Launching): Promise<Desktop> {
  return electronProgram === undefined ? launchStandIn(launching) : launchElectron(electronProgram, launching)
}

/** The application's path that a page shows, on the stand-in and in Electron alike. */
export function pathOf(page: Page): string {
  return /^(?:app:\/\/outlay|http:\/\/outlay\.localhost)([^?#]*)/.exec(page.url())?.[1] ?? page.url()
}

async function launchElectron(executablePath: string, { folder, args = [], env = {} }: Launching): Promise<Desktop> {
  const app = await _electron.launch({
    executablePath,
    args: [root, `--user-data-dir=${folder}`, ...args],
    env: { ...definedEnv(), ...env },
  })
  return {
    process: app.process(),
    output: [],
    ...findPages(app.context()),
    evaluate: (run, argument) => app.evaluate(run as never, argument as never),
    quit: async () => {
      await app.close()
      return app.process().exitCode
    },
    kill: () => end(app.process()),
  }
}

async function launchStandIn({ folder, args = [], env = {} }: Launching): Promise<Desktop> {
  const child = spawn(process.execPath, ['--import', hook, main, `--user-data-dir=${folder}`, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'json',
    env: { ...definedEnv(), ...env },
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(String(chunk)))
  const cdp = await new Promise<string>((resolve, reject) => {
    child.on('message', (message: { kind: string; cdp?: string }) => message.kind === 'browser' && resolve(message.cdp ?? ''))
    child.once('exit', (code) => reject(new Error(`It ended with ${String(code)}: ${output.join('')}`)))
  })
  // A start that fails takes its browser with it.
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`It ended with ${String(code)}: ${output.join('')}`)
  })
  ended.catch(() => undefined)
  const browser = await Promise.race([chromium.connectOverCDP(cdp).catch(() => ended), ended])
  const [context] = browser.contexts()
  if (!context) throw new Error('The browser of the stand-in has no context.')
  return {
    process: child,
    output,
    ...findPages(context),
    evaluate: createEvaluate(child),
    quit: async () => {
      const gone = child.exitCode === null ? once(child, 'exit') : undefined
      void createEvaluate(child)(({ app }) => app.quit()).catch(() => undefined)
      await gone
      await browser.close().catch(() => undefined)
      return child.exitCode
    },
    kill: async () => {
      await end(child)
      // The windows of an Electron end with it; this Chromium would go on, and slow down all that follows.
      const ending = browser.newBrowserCDPSession().then((session) => session.send('Browser.close'))
      await Promise.race([ending.catch(() => undefined), delay(2000)])
      await browser.close().catch(() => undefined)
    },
  }
}

function findPages(context: BrowserContext): Pick<Desktop, 'pages' | 'mainPage' | 'pageAt'> {
  const pageAt = async (matches: (path: string) => boolean): Promise<Page> => {
    for (;;) {
      const found = context.pages().find((page) => !page.isClosed() && matches(pathOf(page)))
      if (found) return found
      await delay(20)
    }
  }
  return {
    pages: () => context.pages(),
    mainPage: () => pageAt((path) => path.startsWith('/') && path !== '/quick-capture'),
    pageAt: (wanted) => pageAt((path) => path === wanted),
  }
}

let evaluations = 0
function createEvaluate(child: ChildProcess): Desktop['evaluate'] {
  return (run, argument) =>
    new Promise((resolve, reject) => {
      const id = ++evaluations
      const hear = (message: { kind: string; id: number; value?: unknown; error?: string }) => {
        if (message.kind !== 'evaluated' || message.id !== id) return
        child.off('message', hear)
        if (message.error === undefined) resolve(message.value as never)
        else reject(new Error(message.error))
      }
      child.on('message', hear)
      child.send({ kind: 'evaluate', id, text: run.toString(), argument }, (error) => error && reject(error))
    })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

function definedEnv(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
