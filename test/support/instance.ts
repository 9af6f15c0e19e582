import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { App } from '#main/app'
import { createApp, createLog } from '#main/app'
import { type Clock, systemClock } from '#main/clock'
import { type Settings, readSettings } from '#main/config/settings'
import { foundOrganization } from '#main/use-cases/organizations/organizations'
import { createToken } from '#main/use-cases/users/tokens'
import { insertMembership } from '#main/store/records/organizations/organization-writer'
import { insertUser } from '#main/store/records/users/user-writer'
import type { Role } from '#shared/domain/roles'
import { dropDatabaseOf, giveDatabase, isOnPostgres } from './databases/database-of'
import { placeMigrated } from './databases/migrated-file'

/** A user of a test instance and the client that speaks for them. */
export interface Person {
  readonly user_id: number
  readonly token: string
  readonly api: Api
}

/** A real server on a real folder, listening on a free loopback port. */
export interface Instance {
  readonly app: App
  readonly folder: string
  readonly url: string
  readonly organization_id: number
  readonly admin: Person
  readonly manager: Person
  readonly analyst: Person
  readonly member: Person
  /** Belongs to no organization of this instance. */
  readonly stranger: Person
  addUser(name: string, role?: Role): Promise<Person>
  /** Closes the server; the folder stays until {@link Instance.remove}. */
  close(): Promise<void>
  remove(): Promise<void>
}

/** A JSON value that a test looks into without declaring its shape. */
export type Json = ReturnType<typeof JSON.parse>

/** An answer as a test looks at it. */
export interface ApiResponse<T = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

/** Speaks to `/api/v1` as one user. Bodies are typed by the test that reads them. */
export interface Api {
  get<T = Json>(path: string, headers?: Record<string, string>): Promise<ApiResponse<T>>
  send<T = Json>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse<T>>
}

/** A client of `/api/v1` with Basic credentials. */
export function apiOf(url: string, token: string | null): Api {
  const credentials: Record<string, string> =
    token === null ? {} : { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` }
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...credentials, accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'tests', ...headers },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
  }
  return { get: (path, headers) => call('GET', path, undefined, headers), send: call }
}

/** For an instance that a test waits for. */
export const shortWaits = { quiet_ms: 10, bucket_rest_ms: 500 }

/** An instance that does in the background nothing that a test does not ask for: reading takes a second of a processor a receipt. */
export const quiet = { OUTLAY_LOG: 'silent', OUTLAY_SNAPSHOT_MINUTES: 0, OUTLAY_READ_RECEIPTS: false } as const

/** Settings of an instance for a test. */
export function testSettings(folder: string, changed: Partial<Settings> = {}): Settings {
  return { ...readSettings(folder, {}), ...quiet, ...changed }
}

/** What a test may change of its instance. */
export interface InstanceOptions {
  readonly settings?: Partial<Settings>
  readonly clock?: Clock
  readonly folder?: string
  readonly web_folder?: string
  readonly log?: Logger
  /** Where it is on SQLite whatever the tests run on, as a replica is. */
  readonly database?: 'sqlite'
}

/** Starts an instance with one organization and one person of every role. */
export async function startInstance(options: InstanceOptions = {}): Promise<Instance> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'outlay-test-')))
  const clock = options.clock ?? systemClock
  if (options.database !== 'sqlite') await giveDatabase(folder)
  const isFile = options.database === 'sqlite' || !isOnPostgres
  if (isFile && options.folder === undefined) await placeMigrated(folder)
  const settings = testSettings(folder, options.settings)
  const app = await createApp({
    data_folder: folder,
    settings,
    web_folder: options.web_folder ?? null,
    clock,
    log: options.log ?? createLog(settings),
    capture_waits: shortWaits,
  })
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

  const makePerson = async (user_id: number, token: string): Promise<Person> => ({ user_id, token, api: apiOf(url, token) })
  const nobody = { user_id: 0, origin: 'cli', request_id: null, if_match: null }
  const profile = (name: string) => ({
    name,
    email: `${name.toLowerCase().replace(/\W+/g, '.')}@example.org`,
    default_currency: 'BRL',
    locale: 'en' as const,
    timezone: 'Etc/UTC',
  })
  const founded = await app.store.transact(nobody, async (tx) => {
    const { organization, user, tx: own } = await foundOrganization(tx, { organization: 'Acme', admin: profile('Ada Admin') })
    const { token } = await createToken(own, { user_id: user.id, description: 'test' })
    return { organization_id: organization.id, user_id: user.id, token }
  })
  const { organization_id } = founded
  const addUser = async (name: string, role?: Role) => {
    const made = await app.store.transact({ ...nobody, user_id: founded.user_id }, async (tx) => {
      const user = await insertUser(tx, profile(name))
      if (role) await insertMembership(tx, { organization_id, user_id: user.id, role })
      const { token } = await createToken(tx, { user_id: user.id, description: 'test' })
      return { user_id: user.id, token }
    })
    return makePerson(made.user_id, made.token)
  }
  return {
    app,
    folder,
    url,
    organization_id,
    admin: await makePerson(founded.user_id, founded.token),
    manager: await addUser('Max Manager', 'manager'),
    analyst: await addUser('Ann Analyst', 'analyst'),
    member: await addUser('Mel Member', 'member'),
    stranger: await addUser('Sam Stranger'),
    addUser,
    close: () => app.close(),
    remove: async () => {
      await app.close().catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
      await dropDatabaseOf(folder)
    },
  }
}
