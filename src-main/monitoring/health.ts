import { statfs } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Store } from '#main/store/core/store'
import type { Metrics } from './metrics'

/** Why an instance is not ready: its database cannot be read, its bucket does not respond, its disk is full, or it is about to stop. */
export type Trouble = 'bucket' | 'database' | 'disk' | 'stopping'

/** What an operator must look at although the instance is ready: no snapshot could be made. */
export type Warning = 'snapshots'

/** Whether an instance should get requests. */
export interface Health {
  readonly warnings: () => Warning[]
  /** Empty if it is ready. */
  troubles(): Promise<Trouble[]>
  /** Makes it not ready while it still responds: a load balancer sends requests elsewhere before it stops. */
  readonly stopSoon: () => void
}

/** What monitors a server; `metrics` if requested. */
export interface Watch {
  readonly health: Health
  readonly metrics: Metrics | undefined
}

/** With less free space a write may fail. */
const leastFreeBytes = 16 * 1024 * 1024

/** The health of the instance in this folder. */
export function createHealth({
  store,
  data_folder,
  checkFiles = () => Promise.resolve(),
  makesSnapshots = () => true,
}: {
  store: Pick<Store, 'reader'>
  data_folder: string
  checkFiles?: () => Promise<void>
  makesSnapshots?: () => boolean
}): Health {
  let isStopping = false
  return {
    troubles: async () => {
      const [canRead, hasFiles, free] = await Promise.all([
        store.reader.isReadable(),
        checkFiles().then(
          () => true,
          () => false,
        ),
        statfs(data_folder).then(
          ({ bavail, bsize }) => bavail * bsize,
          () => 0,
        ),
      ])
      return [
        ...(isStopping ? (['stopping'] as const) : []),
        ...(canRead ? [] : (['database'] as const)),
        ...(hasFiles ? [] : (['bucket'] as const)),
        ...(free < leastFreeBytes ? (['disk'] as const) : []),
      ]
    },
    warnings: () => (makesSnapshots() ? [] : ['snapshots']),
    stopSoon: () => {
      isStopping = true
    },
  }
}

/**
 * Handles `GET /health/live` (the process responds) and `GET /health/ready` (it should get requests, otherwise 503 with the reasons), under any host
 * name, as probes use its address. Returns whether the request was one of these.
 */
export function answerProbe(health: Health, request: IncomingMessage, response: ServerResponse): boolean {
  const path = request.url?.split('?')[0]
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (path === '/health/live') answer(request, response, {})
  else if (path === '/health/ready')
    void health.troubles().then((troubles) => answer(request, response, { troubles, warnings: health.warnings() }))
  else return false
  return true
}

function answer(
  { method }: IncomingMessage,
  response: ServerResponse,
  { troubles = [], warnings = [] }: { troubles?: readonly Trouble[]; warnings?: readonly Warning[] },
): void {
  const isWell = troubles.length === 0
  const state = isWell ? { status: 'ok' } : { status: 'unavailable', troubles }
  const body = JSON.stringify(warnings.length === 0 ? state : { ...state, warnings })
  response.writeHead(isWell ? 200 : 503, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(method === 'HEAD' ? undefined : body)
}
