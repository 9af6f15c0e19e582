import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { addUser, copiesOf, initOrganization, makeFolder, makeOrganization, runCli, type SampleUser, Hosted, Served } from './served'

/** A row of the table that expenses are imported from: every claimant becomes a member, every tag a tag. */
export type SampleExpense = {
  claimant: string
  date: string
  amount: number
  currency?: string
  description: string
  tags?: string
  supplier?: string
}

/** What an app is started with. `file` is a table that is imported as it is; `env`: settings of the server. */
export type AppOptions = { expenses?: readonly SampleExpense[]; file?: string; env?: Readonly<Record<string, string>> }

/** A JSON value that a test looks into without declaring its shape. */
export type Json = ReturnType<typeof JSON.parse>

/** The API as one user speaks to it; throws on any answer that is no success. */
export type Api = { get: (path: string) => Promise<Json>; send: (method: string, path: string, body?: unknown) => Promise<Json> }

/** A running app of its own: the built server on a new folder with one organization (id 1), whose admin is Ana Souza. */
export type E2eApp = {
  url: string
  folder: string
  token: string
  api: Api
  /** Gives the page's browser a session of the admin, or of the token given. */
  signIn: (page: Page, token?: string) => Promise<void>
  addUser: (user: SampleUser) => Promise<string>
  remove: () => Promise<void>
}

function quoted(value: string | number): string {
  return `"${String(value).replaceAll('"', '""')}"`
}

/** The rows as the CSV that the importer reads. */
export function toCsv(expenses: readonly SampleExpense[]): string {
  const hasSupplier = expenses.some(({ supplier }) => supplier !== undefined)
  const rows = expenses.map(({ claimant, date, amount, currency = 'BRL', description, tags = '', supplier = '' }, index) =>
    [`sample-${index}`, claimant, date, amount.toFixed(2), currency, description, tags, ...(hasSupplier ? [supplier] : [])]
      .map(quoted)
      .join(','),
  )
  return [`reference,claimant,date,amount,currency,detail,tags${hasSupplier ? ',supplier' : ''}`, ...rows].join('\n')
}

/** The API of an instance as the user of a token. */
export function apiOf(url: string, token: string): Api {
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  const send = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization, 'user-agent': 'e2e', 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  return { get: (path) => send('GET', path), send }
}

const makers = new Map<string, (folder: string) => Promise<string>>()

/**
 * What makes folders with an organization and these expenses, and gives the admin's token. The organization without expenses is another than that
 * of {@link makeOrganization}, which those with expenses have: one of each may meet in a test.
 */
function makerOf({ expenses = [], file }: AppOptions): (folder: string) => Promise<string> {
  const key = file ?? toCsv(expenses)
  const isPlain = file === undefined && expenses.length === 0
  const maker =
    makers.get(key) ??
    copiesOf(async (folder) => {
      if (isPlain) return initOrganization(folder)
      const token = await makeOrganization(folder)
      const table = file ?? join(folder, 'sample.csv')
      if (file === undefined) await writeFile(table, key)
      await runCli('import', 'expenses', table, '--organization', '1', '--data', folder)
      return token
    })
  makers.set(key, maker)
  return maker
}

async function makeContent(options: AppOptions): Promise<{ folder: string; token: string }> {
  const folder = await makeFolder()
  return { folder, token: await makerOf(options)(folder) }
}

function appOf({ folder, token }: { folder: string; token: string }, { url, remove }: Pick<E2eApp, 'url' | 'remove'>): E2eApp {
  return {
    ...{ folder, token, url, remove },
    api: apiOf(url, token),
    signIn: async (page, own = token) => {
      await page.request.post(`${url}/api/v1/session`, { data: { token: own }, headers: { origin: url } })
    },
    addUser: (user) => addUser(folder, user),
  }
}

/** Starts the built server on a new folder with an organization and these expenses, in a process that it shares. */
export async function startApp(options: AppOptions = {}): Promise<E2eApp> {
  const made = await makeContent(options)
  const hosted = await Hosted.start(made.folder, options.env)
  return appOf(made, { url: hosted.url, remove: () => hosted.remove() })
}

/** An app in a process of its own, which can be killed. */
export type AloneApp = E2eApp & { served: Served }

/** As {@link startApp}, in a process of its own; `serve`: options of `outlay serve`. */
export async function startAlone({ serve, ...options }: AppOptions & { serve?: readonly string[] }): Promise<AloneApp> {
  const made = await makeContent(options)
  const served = new Served(made.folder, options.env, serve)
  await served.start()
  return { ...appOf(made, { url: served.url, remove: () => served.remove() }), served }
}

/** Goes to another address within the page, as a link does: nothing is loaded again. */
export async function moveTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), path)
}
