import type { ServerDeps } from './deps'
import type { Endpoint } from './endpoint'
import { type Call, refusing } from './pipeline'
import type { Answer } from './refusals'

/** A route whose work has separate transactions, or none. */
export function composite(route: Endpoint['route'], work: (deps: ServerDeps, call: Call) => Promise<Answer>): Endpoint {
  return { kind: 'composite', route, answer: (deps, call) => refusing(deps, call, () => work(deps, call)) }
}
