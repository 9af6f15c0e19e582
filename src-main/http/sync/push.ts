import { syncRoutes } from '#shared/contract/sync'
import type { Tx } from '#main/store/core/store'
import type { Call, Endpoint, ServerDeps } from '../endpoint'
import { parseBody } from '../parse-input'
import type { ApiResponse } from '../refusals'
import type { Router } from '../router'
import { runSliced } from '../run-sliced'
import { carryOut } from './carry-out'

/** `POST /sync/push`: each operation stands alone; several share a transaction, since each costs a write to the disk. */
export function pushEndpoint(router: () => Router): Endpoint {
  return { kind: 'composite', route: syncRoutes.push, answer: (deps, call) => answerPush(deps, call, router()) }
}

async function answerPush(deps: ServerDeps, call: Call, router: Router): Promise<ApiResponse> {
  const { operations } = parseBody(syncRoutes.push, call.body)
  const steps = operations.map((operation) => (tx: Tx) => carryOut({ deps, call, router }, tx, operation))
  const results = await runSliced(deps, call, { steps })
  return { status: 200, body: { results }, headers: {} }
}
