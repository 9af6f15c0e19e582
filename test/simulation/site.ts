import { cpSync, rmSync } from 'node:fs'
import { pino } from 'pino'
import { type Parts, createParts } from '#main/app'
import { readSettings } from '#main/config/settings'
import { router } from '#main/http/endpoints'
import { answer } from '#main/http/pipeline'
import type { Answer } from '#main/http/refusals'
import { Store } from '#main/store/store'
import type { ReplicaParts } from '#main/sync/replica'
import type { SimClock } from './sim-clock'

/** The process has ended at this point; nothing after it happened. */
export class Killed extends Error {}

/** Ends the process at a boundary of a transaction. */
export interface Kill {
  /** How many transactions from now on. */
  after: number
  readonly isCommitted: boolean
}

const log = pino({ level: process.env.SIMULATION_LOG ?? 'silent' }, pino.destination({ dest: 2, sync: true }))
const settings = { ...readSettings('/nonexistent', {}), OUTLAY_LOG: 'silent' as const }

/** What a site is opened with. */
export interface SiteConfig {
  readonly name: string
  readonly folder: string
  readonly clock: SimClock
  readonly transportTo?: ReplicaParts['transportTo']
}

/** One instance in the simulation, remote or replica: a folder, and the process that serves it, which may be killed. */
export class Site {
  readonly config: SiteConfig
  #folder: string
  #incarnation = 0
  #store: Store | undefined
  #parts: Parts | undefined
  kill: Kill | undefined
  isDead = false
  /** Told of each commit. */
  onCommit: () => void = () => undefined
  private constructor(config: SiteConfig) {
    this.config = config
    this.#folder = config.folder
  }

  static async open(config: SiteConfig): Promise<Site> {
    const site = new Site(config)
    await site.#start()
    return site
  }

  get folder(): string {
    return this.#folder
  }
  get store(): Store {
    if (!this.#store) throw new Error(`${this.config.name} is not open.`)
    return this.#store
  }
  get parts(): Parts {
    if (!this.#parts) throw new Error(`${this.config.name} is not open.`)
    return this.#parts
  }
  get deps() {
    return this.parts.deps
  }

  async #start(): Promise<void> {
    const { clock, transportTo } = this.config
    this.isDead = false
    this.kill = undefined
    const store = await Store.open(this.#folder, { clock, isOwner: true })
    const parts = await createParts(store, { data_folder: this.#folder, settings, web_folder: null, clock, log, transportTo })
    // Looking inside files needs a thread of its own, whose time nobody holds.
    Object.assign(parts.deps, { inspector: { ...parts.deps.inspector, inspect: async () => ({ kind: 'ok' as const }) } })
    this.#store = store
    this.#parts = parts
    this.#guard(store)
    store.onCommit(() => this.onCommit())
  }

  /** Lets the process end at the boundary of a transaction, and nothing be written after it. */
  #guard(store: Store): void {
    const transact = store.transact.bind(store)
    store.transact = async (actor, work) => {
      if (this.isDead) throw new Killed()
      const { kill } = this
      const isLast = kill !== undefined && (kill.after -= 1) < 0
      const result = await transact(actor, async (tx) => {
        const done = await work(tx)
        if (isLast && !kill.isCommitted) this.#die()
        return done
      })
      if (isLast) this.#die()
      return result
    }
  }

  #die(): never {
    this.isDead = true
    throw new Killed()
  }

  /** Begins the process anew on what a kill has left of its folder: files as they lie there, the log of writes with them. */
  async restart(): Promise<void> {
    this.#incarnation += 1
    const copy = `${this.config.folder}.${this.#incarnation}`
    cpSync(this.#folder, copy, { recursive: true })
    await this.close()
    rmSync(this.#folder, { recursive: true, force: true })
    this.#folder = copy
    await this.#start()
  }

  /** Puts another folder in the place of this one's, as whoever restores a backup does. */
  async replaceWith(backup: string): Promise<void> {
    this.#incarnation += 1
    const copy = `${this.config.folder}.${this.#incarnation}`
    cpSync(backup, copy, { recursive: true })
    await this.close()
    rmSync(this.#folder, { recursive: true, force: true })
    this.#folder = copy
    await this.#start()
  }

  /** Copies the folder as it lies there. */
  copyTo(folder: string): void {
    rmSync(folder, { recursive: true, force: true })
    cpSync(this.#folder, folder, { recursive: true })
  }

  /** Sends a request as a user of this instance, past the network. */
  async call({
    user_id,
    method,
    path,
    body,
  }: {
    user_id: number
    method: string
    path: string
    body?: unknown
  }): Promise<Answer> {
    const [plain = '', query = ''] = path.split('?')
    const match = router.match(method, plain)
    if (match.kind !== 'found') throw new Error(`Nothing answers at ${method} ${plain}.`)
    return answer(this.deps, {
      endpoint: match.endpoint,
      caller: { user_id, locale: 'en', way: 'token', session_hash: null },
      params: match.params,
      query: Object.fromEntries(new URLSearchParams(query)),
      // As it would come over the wire.
      body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
      path: `/api/v1${plain}`,
      base_url: 'http://localhost',
      request_id: this.config.clock.uid(),
      source: '127.0.0.1',
      origin: 'api',
      headers: {},
    })
  }

  async close(): Promise<void> {
    await this.#parts?.close().catch(() => undefined)
    await this.#store?.close()
    this.#parts = undefined
    this.#store = undefined
  }
}
