import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { once } from 'node:events'
import type { Clock } from '#main/clock'
import { SettingsError } from '#main/config/settings'
import { createServer } from '#main/node-http'
import type { Store } from '#main/store/core/store'
import { measureQueues } from '#main/store/queues/queue-sizes'

/** An instance's metrics: requests, commits, queues, and the process. None names a person or an organization. */
export interface Metrics {
  /** Counts a finished request. `route`: its pattern, so that ids do not create metrics. */
  noteRequest(request: { method: string; route: string | undefined; status: number; ms: number }): void
  /** Counts how soon listeners got commits. `feed`: the kind of listeners; `ms`: since the first of these commits was noticed. */
  noteFeed(told: { feed: 'pages' | 'replicas'; ms: number }): void
  close(): Promise<void>
}

interface Address {
  readonly host: string
  readonly port: number
}

/** What metrics are measured on. */
export interface Measured {
  readonly store: Store
  readonly clock: Clock
  readonly snapshots: { readonly failures: () => { readonly count: number } }
}

/**
 * Serves an instance's metrics as `GET /metrics` in the Prometheus text format, at a separate address. @throws SettingsError if the address is in use
 */
export async function serveMetrics({ store, clock, snapshots }: Measured, address: Address): Promise<Metrics> {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const requests = new Histogram({
    name: 'outlay_http_request_duration_seconds',
    help: 'Time from a request to its response, by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  new Counter({
    name: 'outlay_commits_total',
    help: 'Transactions committed. Writes that wait at the same time share one.',
    registers,
    collect() {
      this.reset()
      this.inc(store.commits)
    },
  })
  const feeds = new Histogram({
    name: 'outlay_feed_delay_seconds',
    help: 'Time from a commit to the moment at which all pages or replicas that listen here have been told.',
    labelNames: ['feed'] as const,
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
    registers,
  })
  countFailures(snapshots, registers)
  const measure = gaugeQueues({ store, clock }, registers)
  if (store.figures()) gaugeDatabase(store, registers)
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && request.url === '/metrics'
    if (!isAsked) return void response.writeHead(404).end()
    measure()
      .then(() => register.metrics())
      .then(
        (text) => response.writeHead(200, { 'content-type': register.contentType, 'cache-control': 'no-store' }).end(text),
        () => response.writeHead(500).end(),
      )
  })
  server.listen(address)
  await once(server, 'listening').catch((error: Error) => {
    throw new SettingsError(`The setting OUTLAY_METRICS_PORT is not valid: ${error.message}.`)
  })
  return {
    noteRequest: ({ method, route = 'none', status, ms }) => requests.observe({ method, route, status }, ms / 1000),
    noteFeed: ({ feed, ms }) => feeds.observe({ feed }, ms / 1000),
    close: () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()),
  }
}

function countFailures(snapshots: Measured['snapshots'], registers: Registry[]): void {
  new Counter({
    name: 'outlay_snapshot_failures_total',
    help: 'Snapshots of the database that could not be made.',
    registers,
    collect() {
      this.reset()
      this.inc(snapshots.failures().count)
    },
  })
}

/** Gauges of a database behind a network, read on demand. */
function gaugeDatabase(store: Store, registers: Registry[]): void {
  new Counter({
    name: 'outlay_database_retries_total',
    help: 'What was tried again because the database was away, or others in the way.',
    registers,
    collect() {
      this.reset()
      this.inc(store.figures()?.retries ?? 0)
    },
  })
  new Gauge({
    name: 'outlay_database_connections',
    help: 'Connections that read, by state; waiting: reads that wait for one.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { connections = 0, idle = 0, waiting = 0 } = store.figures() ?? {}
      this.set({ state: 'busy' }, connections - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  new Gauge({
    name: 'outlay_background_work',
    help: '1 for each kind of background work that this server does, of all that share its database.',
    labelNames: ['work'] as const,
    registers,
    collect() {
      this.reset()
      for (const work of store.figures()?.work ?? []) this.set({ work }, 1)
    },
  })
}

/** Gauges of background queues; returns a function that updates them. */
function gaugeQueues({ store, clock }: { store: Store; clock: Clock }, registers: Registry[]): () => Promise<void> {
  const labelNames = ['queue'] as const
  const waiting = new Gauge({
    name: 'outlay_queue_waiting',
    help: 'How much waits to be done in the background, by queue.',
    labelNames,
    registers,
  })
  const oldest = new Gauge({
    name: 'outlay_queue_oldest_seconds',
    help: 'How long the oldest of what waits has waited, by queue; 0 where nothing does.',
    labelNames,
    registers,
  })
  return async () => {
    for (const { queue, count, since } of await measureQueues(store.reader)) {
      waiting.set({ queue }, count)
      oldest.set({ queue }, since === null ? 0 : Math.max(0, (clock.now().getTime() - Date.parse(since)) / 1000))
    }
  }
}
