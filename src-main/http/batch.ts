import { createHash } from 'node:crypto'
import { type BatchOperation, batchRoute } from '#shared/contract/batch'
import { translate } from '#shared/i18n/translations'
import { isOpen } from '#shared/domain/permissions'
import { findStoredResponse, storeResponse } from '#main/store/core/idempotency-keys'
import type { Tx } from '#main/store/core/store'
import type { Call, Endpoint, ServerDeps } from './endpoint'
import { parseBody } from './parse-input'
import { hashRequest, withIdempotency } from './idempotency'
import { answerWithin } from './pipeline'
import { type ApiResponse, messageResponse } from './refusals'
import type { Router } from './router'
import { createTurns, runSliced } from './run-sliced'
import { actorOf, localeOf } from './call'

/** `POST /batch` (supplement 4). Operations share transactions but each stands alone: the failure of one undoes only itself. */
export function batchEndpoint(router: () => Router): Endpoint {
  return { kind: 'composite', route: batchRoute, answer: (deps, call) => answerBatch(deps, call, router()) }
}

async function answerBatch(deps: ServerDeps, call: Call, router: Router): Promise<ApiResponse> {
  const parsed = parseBody(batchRoute, call.body)
  const derivesKeys = !parsed.atomic
  const steps = parsed.operations.map(
    (operation, index) => (tx: Tx) => runOperation(deps, call, { operation, index, router, tx, derivesKeys }),
  )
  return parsed.atomic ? runAtomic(deps, call, steps) : runEach(deps, call, steps)
}

type Step = (tx: Tx) => Promise<ApiResponse>

/** Runs the operations one by one; a key on the whole batch is given on to each of them. */
async function runEach(deps: ServerDeps, call: Call, steps: readonly Step[]): Promise<ApiResponse> {
  const key = call.headers.idempotency_key
  if (key === undefined) return together(await runSliced(deps, call, { steps, outOfRoom: (response) => response }))
  const say = (status: number, text: string) => messageResponse(status, translate(localeOf(call), `errors:${text}`))
  if (key.length > 255) return say(400, 'idempotency_too_long')
  const slot = `${call.caller.user_id}:${key}`
  if (deps.running_keys.has(slot)) return say(409, 'idempotency_running')
  deps.running_keys.add(slot)
  try {
    const refused = await claimKey(deps, call, key)
    if (refused) return refused
    const results = await runSliced(deps, call, { steps, outOfRoom: (response) => response })
    const isReplay = results.length > 0 && results.every(({ headers }) => headers['idempotency-replayed'] === 'true')
    return together(results, isReplay ? { 'idempotency-replayed': 'true' } : {})
  } finally {
    deps.running_keys.delete(slot)
  }
}

function together(results: readonly ApiResponse[], headers: ApiResponse['headers'] = {}): ApiResponse {
  const body = { results: results.map(({ status, body: shown }) => ({ status, body: shown })) }
  const kept_body = { results: results.map(({ status, body: shown, kept_body: kept = shown }) => ({ status, body: kept })) }
  return { status: 200, body, kept_body, headers }
}

/** Notes which batch a key stands for: a repeat after a crash replays the operations that were done and runs the rest. */
async function claimKey(deps: ServerDeps, call: Call, key: string): Promise<ApiResponse | undefined> {
  const request_hash = hashRequest(deps, [call.path, call.body])
  const slot = { user_id: call.caller.user_id, key }
  return deps.store.transact(actorOf(call), async (tx) => {
    const stored = await findStoredResponse(tx, slot)
    if (!stored) await storeResponse(tx, { ...slot, request_hash, status: 200, headers: {}, body: null })
    const isOther = stored !== undefined && stored.request_hash !== request_hash
    return isOther ? messageResponse(422, translate(localeOf(call), 'errors:idempotency_other')) : undefined
  })
}

/** Undoes an atomic batch of which one operation failed. */
class AtomicFailure extends Error {
  constructor(
    readonly index: number,
    readonly answer: ApiResponse,
  ) {
    super('an operation of an atomic batch failed')
  }
}

/** An atomic batch is one write like any other: one transaction, and one answer under its key. */
async function runAtomic(deps: ServerDeps, call: Call, steps: readonly Step[]): Promise<ApiResponse> {
  const work = async (tx: Tx): Promise<ApiResponse> => {
    try {
      return together(await tx.savepoint((inner) => runAll(deps, steps, inner)))
    } catch (error) {
      if (!(error instanceof AtomicFailure)) throw error
      const undone = messageResponse(424, translate(localeOf(call), 'errors:batch_atomic'))
      return together(steps.map((_, index) => (index === error.index ? error.answer : undone)))
    }
  }
  return withIdempotency(deps, call, { transact: (run) => deps.store.transact(actorOf(call), run), work })
}

async function runAll(deps: ServerDeps, steps: readonly Step[], tx: Tx): Promise<ApiResponse[]> {
  const results: ApiResponse[] = []
  const takeTurns = createTurns(deps)
  for (const [index, step] of steps.entries()) {
    const response = await step(tx)
    if (response.status >= 400) throw new AtomicFailure(index, response)
    results.push(response)
    await takeTurns()
  }
  return results
}

interface OperationInput {
  readonly operation: BatchOperation
  readonly index: number
  readonly router: Router
  readonly tx: Tx
  /** Whether an operation without a key gets one from that of the batch. */
  readonly derivesKeys: boolean
}

async function runOperation(
  deps: ServerDeps,
  call: Call,
  { operation, index, router, tx, derivesKeys }: OperationInput,
): Promise<ApiResponse> {
  const [path = '', query] = operation.path.split('?')
  const match = router.match(operation.method, path)
  const say = (status: number, key: string) => messageResponse(status, translate(localeOf(call), `errors:${key}`))
  if (match.kind === 'unknown') return say(404, 'not_found')
  if (match.kind === 'wrong_method' || match.endpoint.kind !== 'mutation' || isOpen(match.endpoint.route.action))
    return say(405, 'method')
  const outer = derivesKeys ? call.headers.idempotency_key : undefined
  const derived = outer === undefined ? undefined : createHash('sha256').update(`${outer}#${index}`).digest('hex')
  return answerWithin(
    deps,
    {
      ...call,
      endpoint: match.endpoint,
      params: match.params,
      query: Object.fromEntries(new URLSearchParams(query)),
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
