import { type ChildProcess, fork, spawn } from 'node:child_process'
import { constants, rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { z } from 'zod'

const cli = join(import.meta.dirname, '../../../out/main/cli.js')

/** Someone who is added to an organization. */
export type SampleUser = { name: string; email: string; role: 'admin' | 'manager' | 'analyst' | 'member' }

/** A new data folder of its own. */
export async function makeFolder(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), 'outlay-e2e-')), 'data')
}

/** Runs a command of the built command line, in the process that serves the folders, and gives the JSON that it prints. */
export async function runCli(...argv: string[]): Promise<unknown> {
  const { printed = '' } = await askHost({ id: nextId(), argv })
  return JSON.parse(printed)
}

/** Makes a folder with an organization of its own; gives the admin's token. */
export async function initOrganization(folder: string): Promise<string> {
  const made = await runCli('init', '--organization', 'Acme', '--name', 'Ana Souza', '--email', 'ana@example.org', '--data', folder)
  return z.object({ token: z.string() }).parse(made).token
}

/** Adds a user to the organization of a folder; gives its token. */
export async function addUser(folder: string, { name, email, role }: SampleUser): Promise<string> {
  const who = ['--name', name, '--email', email, '--role', role]
  const made = await runCli('user', 'add', '--organization', '1', ...who, '--data', folder)
  return z.object({ token: z.string() }).parse(made).token
}

/** Reading takes a second of a processor a receipt: tests that are about it ask for it. */
const environment = { ...process.env, OUTLAY_READ_RECEIPTS: '0' }

let lastId = 0
const nextId = () => (lastId += 1)
/** Where pages are kept, that they are served from; see {@link keepOrigin}. */
let web_folder: string | undefined
let host: ChildProcess | undefined
const hostAnswer = z.object({ id: z.number(), url: z.string().optional(), printed: z.string().optional(), error: z.string().optional() })
type HostRequest = {
  readonly id: number
  readonly data_folder?: string
  readonly env?: NodeJS.ProcessEnv
  readonly argv?: readonly string[]
  readonly web_folder?: string
}

/** From now on servers of this worker that share a process serve the page that tests can empty, the first of those open at one origin throughout. */
export function keepOrigin(): void {
  web_folder = join(import.meta.dirname, '../../../out/test-page')
}

/** Asks the process that serves many folders, one for each worker of tests; it ends with its worker. */
function askHost(message: HostRequest): Promise<z.infer<typeof hostAnswer>> {
  const asked = (host ??= fork(join(import.meta.dirname, 'host.mjs'), { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }))
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The process that serves the folders has ended.'))
    const onMessage = (said: unknown) => {
      const answer = hostAnswer.parse(said)
      if (answer.id !== message.id) return
      asked.off('message', onMessage).off('exit', onExit)
      if (answer.error === undefined) resolve(answer)
      else reject(new Error(answer.error))
    }
    asked.on('message', onMessage).on('exit', onExit)
    asked.send(message)
  })
}

async function readAs(token: string, url: string): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  return (await fetch(url, { headers: { authorization, 'user-agent': 'e2e' } })).json()
}

function removeFolder(folder: string): Promise<void> {
  return rm(join(folder, '..'), { recursive: true, force: true })
}

const originals = new Set<string>()
process.on('exit', () => {
  for (const folder of originals) rmSync(folder, { recursive: true, force: true })
})

/**
 * Makes folders as `make` does, which runs once in a worker: every folder is a copy of that one, and what making it
 * answered is answered again. Copies have the same identifiers and tokens: folders that meet in a test are made by two ways.
 */
export function copiesOf<Made>(make: (folder: string) => Promise<Made>): (folder: string) => Promise<Made> {
  let original: Promise<{ from: string; made: Made }> | undefined
  const makeOriginal = async () => {
    const from = await makeFolder()
    originals.add(join(from, '..'))
    return { from, made: await make(from) }
  }
  return async (folder) => {
    original ??= makeOriginal()
    const { from, made } = await original
    await cp(from, folder, { recursive: true, mode: constants.COPYFILE_FICLONE })
    return made
  }
}

/** Makes a folder with an organization, the same one each time; gives the admin's token. */
export const makeOrganization = copiesOf(initOrganization)

/** A server that shares its process with others. */
export class Hosted {
  /** How many of this worker have ended: their addresses may since be those of other folders. */
  static ended = 0
  private constructor(
    readonly folder: string,
    private readonly id: number,
    /** The origin of its pages. */
    readonly url: string,
  ) {}

  /** Serves a folder with these settings. */
  static async start(folder: string, env: Readonly<Record<string, string>> = {}): Promise<Hosted> {
    const id = nextId()
    const { url } = await askHost({ id, data_folder: folder, env: { ...environment, OUTLAY_LOG: 'silent', ...env }, web_folder })
    return new Hosted(folder, id, url ?? '')
  }

  /** What the API answers to a user. */
  get(path: string, token: string): Promise<unknown> {
    return readAs(token, `${this.url}/api/v1${path}`)
  }

  /** Closes it and removes its folder. */
  async remove(): Promise<void> {
    await askHost({ id: this.id })
    Hosted.ended += 1
    await removeFolder(this.folder)
  }
}

/** A built server on a data folder, which is killed and started again. */
export class Served {
  private child: ChildProcess | undefined
  /** The origin of its pages. */
  url = ''
  /** The address that signs a browser in once; only with `link`. */
  link = ''
  /** `env`: settings beside those of this process; `options`: of `outlay serve`. */
  constructor(
    readonly folder: string,
    private readonly env: Readonly<Record<string, string>> = {},
    private readonly options: readonly string[] = [],
  ) {}

  /** Starts it, on the same port as before. */
  async start({ link = false } = {}): Promise<void> {
    const port = this.url === '' ? '0' : new URL(this.url).port
    const child = spawn(
      process.execPath,
      [cli, 'serve', '--port', port, '--data', this.folder, ...this.options, ...(link ? ['--open-link'] : [])],
      { stdio: 'pipe', env: { ...environment, ...this.env } },
    )
    this.child = child
    const pattern = link ? /http:\S+#\S+/ : /http:\/\/[\d.:]+/
    const printed = await new Promise<string>((resolve, reject) => {
      let out = ''
      const read = (chunk: unknown) => {
        out += String(chunk)
        const found = pattern.exec(out)?.[0]
        if (found) resolve(found)
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.on('exit', () => reject(new Error(out)))
    })
    this.url = new URL(printed).origin
    this.link = link ? printed : ''
  }

  /** Kills it without a warning. */
  async kill(): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
  }

  /** Kills it and removes its folder. */
  async remove(): Promise<void> {
    await this.kill()
    await removeFolder(this.folder)
  }

  /** What the API answers to a user. */
  get(path: string, token: string): Promise<unknown> {
    return readAs(token, `${this.url}/api/v1${path}`)
  }
}

/** Signs the browser in with a token, as people do; the page is left at the address. */
async function signInAt(page: Page, address: string, token: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('textbox', { name: 'API token' }).fill(token)
  await page.keyboard.press('Enter')
}

/** A server of an organization of its own, with its admin signed in on a page; the page is left at `path`. */
export async function serveSignedIn(
  page: Page,
  path: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ served: Hosted; token: string }> {
  const folder = await makeFolder()
  const token = await makeOrganization(folder)
  const served = await Hosted.start(folder, env)
  await signInAt(page, `${served.url}${path}`, token)
  return { served, token }
}

/** As {@link serveSignedIn}, in a process of its own, which can be killed. */
export async function serveAlone(page: Page, path: string): Promise<{ served: Served; token: string }> {
  const folder = await makeFolder()
  const token = await makeOrganization(folder)
  const served = new Served(folder)
  await served.start()
  await signInAt(page, `${served.url}${path}`, token)
  return { served, token }
}
