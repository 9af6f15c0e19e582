import { pino } from 'pino'
import { type Parts, createParts } from '#main/app'
import { readSettings } from '#main/config/settings'
import { api } from '#main/http/endpoints'
import { run } from '#main/http/pipeline'
import type { ApiResponse } from '#main/http/refusals'
import type { Store } from '#main/store/core/store'
import type { RemoteTokens } from '#main/sync/remote'
import type { ReplicaParts } from '#main/sync/replica'
import type { SimClock } from './sim-clock'
import { type Copy, type PooledStore, copyOf, giveBack, lend } from './store-pool'

/** The process has ended at this point; nothing after it happened. */
export class Killed extends Error {}

/** Ends the process at a boundary of a transaction. */
export interface Kill {
  /** How many transactions from now on. */
  after: number
  readonly isCommitted: boolean
}

/** What replicas found to differ, though nothing should: the comparison after an exchange mends what other rules did not hold. */
export const mended: string[] = []

const log = pino(
  { level: 'error' },
  {
    write: (line: string) => {
      if (line.includes('differs from the remote')) mended.push(line)
      if (process.env.SIMULATION_LOG) process.stderr.write(line)
    },
  },
)
/** Whoever is at the other end knows who asks without a token: none is kept, as nothing here is anybody's secret. */
const tokens: RemoteTokens = { canKeep: async () => true, keep: async () => {}, find: async () => 'token', forget: async () => {} }
const settings = { ...readSettings('/nonexistent', {}), OUTLAY_LOG: 'silent' as const }

/** What a site is opened with. */
export interface SiteConfig {
  readonly name: string
  /** What it begins as a copy of. */
  readonly from?: Copy
  readonly clock: SimClock
  readonly transportTo?: ReplicaParts['transportTo']
}

/** One instance in the simulation, remote or replica: a folder, and the process that serves it, which may be killed. */
export class Site {
  readonly config: SiteConfig
  #pooled: PooledStore | undefined
  #parts: Parts | undefined
  kill: Kill | undefined
  isDead = false
  /** Told of each commit. */
  onCommit: () => void = () => undefined
  #stopListening: () => void = () => undefined
  #process = { isOver: true }
  private constructor(config: SiteConfig) {
    this.config = config
  }

  static async open(config: SiteConfig): Promise<Site> {
    const site = new Site(config)
    await site.#start(config.from)
    return site
  }

  get #lent(): PooledStore {
    if (!this.#pooled) throw new Error(`${this.config.name} is not open.`)
    return this.#pooled
  }
  get store(): Store {
    return this.#lent.store
  }
  get parts(): Parts {
    if (!this.#parts) throw new Error(`${this.config.name} is not open.`)
    return this.#parts
  }
  get deps() {
    return this.parts.deps
  }

  async #start(from: Copy | undefined): Promise<void> {
    const { clock, transportTo } = this.config
    this.isDead = false
    this.kill = undefined
    const pooled = await lend({ from, clock })
    this.#process = { isOver: false }
    const store = this.#guarded(pooled.store, this.#process)
    const parts = await createParts(store, { data_folder: pooled.folder, settings, web_folder: null, clock, log, tokens, transportTo })
    // Looking inside files needs a thread of its own, whose time nobody holds.
    Object.assign(parts.deps, { inspector: { ...parts.deps.inspector, inspect: async () => ({ kind: 'ok' as const }) } })
    this.#pooled = pooled
    this.#parts = parts
    this.#stopListening = store.onCommit(() => this.onCommit())
  }

  /** The store as one process has it, which may end at the boundary of a transaction, and writes nothing after its end. */
  #guarded(store: Store, process: { isOver: boolean }): Store {
    const transact: Store['transact'] = async (actor, work) => {
      if (this.isDead || process.isOver) throw new Killed()
      const { kill } = this
      const isLast = kill !== undefined && (kill.after -= 1) < 0
      const result = await store.transact(actor, async (tx) => {
        const done = await work(tx)
        if (isLast && !kill.isCommitted) this.#die()
        return done
      })
      if (isLast) this.#die()
      return result
    }
    return new Proxy(store, {
      get: (target, name) => {
        if (name === 'transact') return transact
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  #die(): never {
    this.isDead = true
    throw new Killed()
  }

  /** What a kill at this moment would leave. */
  copy(): Copy {
    return copyOf(this.#lent)
  }

  /** Starts the process again on what a kill has left of its folder. */
  restart(): Promise<void> {
    return this.replaceWith(this.copy())
  }

  /** Puts a copy in the place of this one's folder, as whoever restores a backup does. */
  async replaceWith(copy: Copy): Promise<void> {
    await this.close()
    await this.#start(copy)
  }

  /** Sends a request as a user of this instance, past the network. */
  async call({ user_id, method, path, body }: { user_id: number; method: string; path: string; body?: unknown }): Promise<ApiResponse> {
    // As it would come over the wire.
    const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body))
    const match = api.router.read({ method, path, body: sent })
    if (match.kind !== 'found') throw new Error(`Nothing answers at ${method} ${path}.`)
    return run(this.deps, {
      ...match.asked,
      sender: {
        caller: { user_id, locale: 'en', way: 'token', session_hash: null, scopes: null, ends_at: null, token_ends_at: null },
        locale: 'en',
        origin: 'api',
        request_id: this.config.clock.uid(),
        base_url: 'http://localhost',
        source: '127.0.0.1',
      },
    })
  }

  /** Ends the process; what was opened for it is lent to the next. */
  async close(): Promise<void> {
    const pooled = this.#pooled
    if (!pooled) return
    this.#stopListening()
    await this.#parts?.close().catch(() => undefined)
    this.#parts = undefined
    this.#pooled = undefined
    this.#process.isOver = true
    await giveBack(pooled)
  }
}
