import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type BatchOperation, batchRoute } from '#shared/contract/batch'
import { translate } from '#shared/i18n/translations'
import { findStoredAnswer, storeAnswer } from '#main/store/idempotency-keys'
import type { Tx } from '#main/store/store'
import type { ServerDeps } from './deps'
import type { Endpoint } from './endpoint'
import { parseInput } from './parse-input'
import { type Call, actorOf, answerWithin, localeOf } from './pipeline'
import { type Answer, messageAnswer } from './refusals'
import type { Router } from './router'

/** How long one transaction of a batch holds the thread before others get their turn. */
const sliceMs = 8

/** `POST /batch` (supplement 4). Operations share transactions but each stands alone: the failure of one undoes only itself. */
export function batchEndpoint(router: () => Router): Endpoint {
  return { kind: 'composite', route: batchRoute, answer: (deps, call) => answerBatch(deps, call, router()) }
}

async function answerBatch(deps: ServerDeps, call: Call, router: Router): Promise<Answer> {
  const parsed = batchRoute.body.parse(parseInput(batchRoute, call).body)
  const key = call.headers.idempotency_key
  const refused = key === undefined ? undefined : await claimKey(deps, call, key)
  if (refused) return refused
  const steps = parsed.operations.map((operation, index) => (tx: Tx) => runOperation(deps, call, { operation, index, router, tx }))
  const results = parsed.atomic ? await runAtomic(deps, call, steps) : await runSliced(deps, call, steps)
  return { status: 200, body: { results: results.map(({ status, body }) => ({ status, body })) }, headers: {} }
}

/**
 * A key on the whole batch is given on to each operation, so that a repeat after a crash replays those that were done and
 * runs the rest. The same key with another batch is refused.
 */
async function claimKey(deps: ServerDeps, call: Call, key: string): Promise<Answer | undefined> {
  if (key.length > 255) return messageAnswer(400, translate(localeOf(call), 'errors:idempotency_too_long'))
  const request_hash = createHash('sha256').update(JSON.stringify([call.path, call.body])).digest('hex')
  const slot = { user_id: call.caller.user_id, key }
  return deps.store.transact(actorOf(call), async (tx) => {
    const stored = await findStoredAnswer(tx, slot)
    if (!stored) await storeAnswer(tx, { ...slot, request_hash, status: 200, headers: {}, body: null })
    const isOther = stored !== undefined && stored.request_hash !== request_hash
    return isOther ? messageAnswer(422, translate(localeOf(call), 'errors:idempotency_other')) : undefined
  })
}

type Step = (tx: Tx) => Promise<Answer>

async function runSliced(deps: ServerDeps, call: Call, steps: readonly Step[]): Promise<Answer[]> {
  const results: Answer[] = []
  while (results.length < steps.length) {
    const slice = await deps.store.transact(actorOf(call), async (tx) => {
      const start = deps.clock.monotonicMs()
      const done: Answer[] = []
      for (const step of steps.slice(results.length)) {
        done.push(await step(tx))
        if (deps.clock.monotonicMs() - start > sliceMs) break
      }
      return done
    })
    results.push(...slice)
    await nextTurn()
  }
  return results
}

/** Undoes an atomic batch of which one operation failed. */
class AtomicFailure extends Error {
  constructor(
    readonly index: number,
    readonly answer: Answer,
  ) {
    super('an operation of an atomic batch failed')
  }
}

async function runAtomic(deps: ServerDeps, call: Call, steps: readonly Step[]): Promise<Answer[]> {
  try {
    return await deps.store.transact(actorOf(call), async (tx) => {
      const results: Answer[] = []
      for (const [index, step] of steps.entries()) {
        const answer = await step(tx)
        if (answer.status >= 400) throw new AtomicFailure(index, answer)
        results.push(answer)
      }
      return results
    })
  } catch (error) {
    if (!(error instanceof AtomicFailure)) throw error
    const undone = messageAnswer(424, translate(localeOf(call), 'errors:batch_atomic'))
    return steps.map((_, index) => (index === error.index ? error.answer : undone))
  }
}

interface OperationInput {
  readonly operation: BatchOperation
  readonly index: number
  readonly router: Router
  readonly tx: Tx
}

async function runOperation(deps: ServerDeps, call: Call, { operation, index, router, tx }: OperationInput): Promise<Answer> {
  const path = operation.path.split('?')[0] ?? ''
  const match = router.match(operation.method, path)
  const say = (status: number, key: string) => messageAnswer(status, translate(localeOf(call), `errors:${key}`))
  if (match.kind === 'unknown') return say(404, 'not_found')
  if (match.kind === 'wrong_method' || match.endpoint.kind !== 'mutation' || match.endpoint.route.open) return say(405, 'method')
  const outer = call.headers.idempotency_key
  const derived = outer === undefined ? undefined : createHash('sha256').update(`${outer}#${index}`).digest('hex')
  return answerWithin(
    deps,
    {
      ...call,
      endpoint: match.endpoint,
      params: match.params,
      query: {},
      body: operation.body,
      path,
      origin: 'batch',
      headers: {
        accept_language: call.headers.accept_language,
        if_match: operation.if_match,
        idempotency_key: operation.idempotency_key ?? derived,
      },
    },
    tx,
  )
}
