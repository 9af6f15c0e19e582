import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type DevToolsPage, attachTo } from './devtools'

/** One start of the desktop, by the clock of its page; milliseconds from the start of the process. */
export interface DesktopStart {
  /** The page begins to load. */
  readonly navigation: number
  /** The words of the first row are on the screen. */
  readonly rows: number
  /** The next row has the focus, by a key. */
  readonly key: number
}

const root = join(import.meta.dirname, '../..')
/** The program, and the same window with nothing around or in it. */
const mains = { program: join(root, 'out/main/main.js'), floor: join(root, 'test/bench/bare-desktop.mjs') }

/** Which of the two, on which folders. */
export interface DesktopFolders {
  readonly main: keyof typeof mains
  readonly shell: string
  readonly data: string
}

/** A desktop that was started, and its main page. */
export interface RunningDesktop {
  readonly page: DevToolsPage
  /** When its process was started, by the clock that pages have. */
  readonly started: number
  readonly stop: () => Promise<void>
}

const now = () => performance.timeOrigin + performance.now()

/** Starts the desktop, on the stand-in or on the Electron that `ELECTRON_BIN` names. */
export async function startDesktop({ main, shell, data }: DesktopFolders): Promise<RunningDesktop> {
  const electron = process.env.ELECTRON_BIN
  mkdirSync(shell, { recursive: true })
  const portFile = join(shell, electron === undefined ? 'Chromium' : '', 'DevToolsActivePort')
  rmSync(portFile, { force: true })
  const args = electron === undefined ? ['--import', join(root, 'test/desktop/stand-in/hook.ts')] : ['--remote-debugging-port=0']
  const started = now()
  const child: ChildProcess = spawn(electron ?? process.execPath, [...args, mains[main], `--user-data-dir=${shell}`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production', OUTLAY_DATA: data, OUTLAY_LOG: 'error' },
  })
  const ended = once(child, 'exit')
  const page = await attachTo(await readPort(portFile), /\/review$/)
  return {
    page,
    started,
    stop: async () => {
      page.close()
      // As a person quits: what is closed by force is examined at the next start.
      if (electron === undefined) child.send({ kind: 'evaluate', id: 0, text: '({ app }) => app.quit()' })
      else child.kill('SIGTERM')
      await ended
    },
  }
}

async function readPort(path: string): Promise<number> {
  for (;;) {
    const port = existsSync(path) ? parseInt(readFileSync(path, 'utf8'), 10) : NaN
    if (port > 0) return port
    await delay(5)
  }
}

const firstRow = '[role=grid] [role=row][aria-rowindex="2"] [role=gridcell]:nth-child(3)'
const focused = "document.querySelector('[role=grid]').getAttribute('aria-activedescendant')"

/** The moment, by the clock of the page, of the first frame in which a condition holds. */
function frameWhen(condition: string): string {
  return `new Promise((resolve) => {
    const look = () => ((${condition}) ? setTimeout(() => resolve(performance.timeOrigin + performance.now())) : requestAnimationFrame(look))
    look()
  })`
}

/** Starts it, waits until a key has been answered by the list, and ends it. */
export async function measureDesktopStart(folders: DesktopFolders): Promise<DesktopStart> {
  const { page, started, stop } = await startDesktop(folders)
  try {
    const rows = Number(await page.evaluate(frameWhen(`document.querySelector('${firstRow}')?.textContent`)))
    await page.evaluate(`globalThis.before = ${focused}`)
    const answered = page.evaluate(frameWhen(`${focused} !== globalThis.before`))
    await page.press('j')
    const key = Number(await answered)
    const navigation = Number(await page.evaluate('performance.timeOrigin'))
    return { navigation: navigation - started, rows: rows - started, key: key - started }
  } finally {
    await stop()
  }
}
