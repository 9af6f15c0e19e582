import { setImmediate as nextTurn } from 'node:timers/promises'
import { syncRoutes } from '#shared/contract/sync'
import type { OperationResult } from '#shared/contract/sync'
import type { ServerDeps } from '../deps'
import type { Endpoint } from '../endpoint'
import { parseBody } from '../parse-input'
import { type Call, actorOf } from '../pipeline'
import type { Answer } from '../refusals'
import type { Router } from '../router'
import { carryOut } from './carry-out'

/** How long one transaction keeps other writers waiting, and how long the thread is held before others get their turn. */
const sliceMs = 60
const turnMs = 8

/** `POST /sync/push`: each operation stands alone; several share a transaction, since each costs a write to the disk. */
export function pushEndpoint(router: () => Router): Endpoint {
  return { kind: 'composite', route: syncRoutes.push, answer: (deps, call) => answerPush(deps, call, router()) }
}

async function answerPush(deps: ServerDeps, call: Call, router: Router): Promise<Answer> {
  const { operations } = parseBody(syncRoutes.push, call.body)
  const results: OperationResult[] = []
  while (results.length < operations.length) {
    const slice = await deps.store.transact(actorOf(call), async (tx) => {
      const start = deps.clock.monotonicMs()
      let turn = start
      const done: OperationResult[] = []
      for (const operation of operations.slice(results.length)) {
        done.push(await carryOut({ deps, call, router }, tx, operation))
        const now = deps.clock.monotonicMs()
        if (now - start > sliceMs) break
        if (now - turn <= turnMs) continue
        await nextTurn()
        turn = deps.clock.monotonicMs()
      }
      return done
    })
    results.push(...slice)
    await nextTurn()
  }
  return { status: 200, body: { results }, headers: {} }
}
