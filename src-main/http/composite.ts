import type { Call, Endpoint, ServerDeps } from './endpoint'
import { refusing } from './pipeline'
import type { ApiResponse } from './refusals'

/** A route whose work has separate transactions, or none. */
export function composite(route: Endpoint['route'], work: (deps: ServerDeps, call: Call) => Promise<ApiResponse>): Endpoint {
  return { kind: 'composite', route, answer: (deps, call) => refusing(deps, call, () => work(deps, call)) }
}
