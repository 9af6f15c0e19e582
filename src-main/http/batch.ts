import { createHash } from 'node:crypto'
import { type BatchGroup, type BatchOperation, batchRoute, dryRunRoute } from '#shared/contract/batch'
import { translate } from '#shared/i18n/translations'
import { isOpen } from '#shared/domain/permissions'
import { createTurns } from '#main/clock'
import type { Tx } from '#main/store/core/store'
import type { Sender } from './command'
import { type AnyCompositeContext, type AnyContext, type Endpoint, type ServerDeps, composite, query } from './endpoint'
import { run } from './pipeline'
import { type ApiResponse, messageResponse } from './refusals'
import { runSliced } from './run-sliced'

/** `POST /batch` (supplement 4). Operations share transactions but are independent: a failure undoes only its own operation. */
export const batchEndpoint: Endpoint = composite(batchRoute, (context: AnyCompositeContext, { body: { atomic = false, operations } }) => {
  const { key } = context.command
  const steps = operations.map((operation, index) => (tx: Tx) => {
    // A batch's key is passed to its operations, unless the batch is atomic, which is stored as a whole.
    const isDerived = operation.idempotency_key === undefined && key !== undefined && !atomic
    const derived = isDerived ? createHash('sha256').update(`${key}#${index}`).digest('hex') : undefined
    return runOperation(context.deps, { sender: context.command.sender, tx }, { idempotency_key: derived, ...operation })
  })
  return atomic ? runAtomic(context, steps) : runEach(context, steps)
})

/** `POST /batch/dry_run`: runs the operations as in a batch, in one transaction that is rolled back, so that no trail, message or key remains. */
export const dryRunEndpoint: Endpoint = query(dryRunRoute, async ({ deps, reader: _, seen_etag: __, ...sender }: AnyContext, { body }) => {
  const steps = body.operations.map(
    (operation) => (tx: Tx) => runOperation(deps, { sender, tx, isDry: true }, { ...operation, idempotency_key: undefined }),
  )
  const done = new DryRun()
  await deps.store
    .transact({ ...sender, user_id: sender.caller.user_id, origin: 'batch', if_match: null }, async (tx) => {
      const takeTurns = createTurns(deps.clock)
      for (const step of steps) {
        done.results.push(await step(tx))
        await takeTurns()
      }
      throw done
    })
    .catch((error: unknown) => {
      if (error !== done) throw error
    })
  return { body: { groups: toGroups(done.results) } }
})

/** Rolls back a dry run. */
class DryRun extends Error {
  readonly results: ApiResponse[] = []
}

function toGroups(results: readonly ApiResponse[]): BatchGroup[] {
  const groups = new Map<string, BatchGroup>()
  for (const [index, response] of results.entries()) {
    const { status, refusal: { code, params = {} } = {} } = response
    const body = status < 400 ? null : response.body
    const key = JSON.stringify(code === undefined ? [status, body] : [status, code, params])
    const group = groups.get(key) ?? { status, reason: code ?? null, params, body, operations: [] }
    group.operations.push(index)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** The transaction and user of an operation. */
interface Running {
  readonly sender: Sender
  readonly tx: Tx
  readonly isDry?: boolean
}

async function runOperation(deps: ServerDeps, { sender, tx, isDry }: Running, operation: BatchOperation): Promise<ApiResponse> {
  const { method, path, body, if_match, idempotency_key: key } = operation
  const say = (status: number, text: string) => messageResponse(status, translate(sender.locale, `errors:${text}`))
  const match = deps.api.router.read({ method, path, body })
  if (match.kind === 'unknown') return say(404, 'not_found')
  if (match.kind === 'wrong_method' || isOpen(match.asked.route.action)) return say(405, 'method')
  const command = { ...match.asked, sender: { ...sender, origin: 'batch' as const }, if_match, key, address: path.split('?')[0] ?? '' }
  return run(deps, command, { within: tx, isDry })
}

type Step = (tx: Tx) => Promise<ApiResponse>

/** Runs the operations one by one. A repeated batch replays finished operations by their keys, and runs the rest. */
async function runEach({ deps, command }: AnyCompositeContext, steps: readonly Step[]): Promise<ApiResponse> {
  const results = await runSliced(deps, command, { steps, outOfRoom: (response) => response })
  return { ...together(results), kept_body: null, is_unfinished: results.some(({ status }) => status >= 500) }
}

function together(results: readonly ApiResponse[]): ApiResponse {
  const body = { results: results.map(({ status, body: shown }) => ({ status, body: shown })) }
  const kept_body = { results: results.map(({ status, body: shown, kept_body: kept = shown }) => ({ status, body: kept })) }
  return { status: 200, body, kept_body, headers: {} }
}

/** Rolls back an atomic batch after one operation failed. */
class AtomicFailure extends Error {
  constructor(
    readonly index: number,
    readonly response: ApiResponse,
  ) {
    super('an operation of an atomic batch failed')
  }
}

/** An atomic batch is one write: one transaction, and one response under its key. */
async function runAtomic({ deps, command, write }: AnyCompositeContext, steps: readonly Step[]): Promise<ApiResponse> {
  return write(async (tx) => {
    try {
      return together(await tx.savepoint((inner) => runAll(deps, steps, inner)))
    } catch (error) {
      if (!(error instanceof AtomicFailure)) throw error
      const undone = messageResponse(424, translate(command.sender.locale, 'errors:batch_atomic'))
      return together(steps.map((_, index) => (index === error.index ? error.response : undone)))
    }
  })
}

async function runAll(deps: ServerDeps, steps: readonly Step[], tx: Tx): Promise<ApiResponse[]> {
  const results: ApiResponse[] = []
  const takeTurns = createTurns(deps.clock)
  for (const [index, step] of steps.entries()) {
    const response = await step(tx)
    if (response.status >= 400) throw new AtomicFailure(index, response)
    results.push(response)
    await takeTurns()
  }
  return results
}
