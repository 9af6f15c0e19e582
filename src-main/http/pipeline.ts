import { translate } from '#shared/i18n/translations'
import type { Route } from '#shared/contract/route'
import { isOutOfRoom } from '#shared/domain/out-of-room'
import type { Reader, Tx } from '#main/store/core/store'
import { assertAccess } from './access'
import { type Command, actorOf } from './command'
import { type Endpoint, type Input, type OperationDeps, type ServerDeps, contextOf, contextWithin } from './endpoint'
import { takeFromBucket } from './files/bucket-uploads'
import { receiveContent } from './files/receive-content'
import { type Claim, type KeyedRequest, holdKey, keepApart, storeOnce, toKeyedRequest } from './idempotency'
import { parseInput } from './parse-input'
import { type ApiResponse, messageResponse } from './refusals'
import { forward, isForwarded, journal, localize } from './replica/hooks'
import { represent, representRead, toErrorResponse, withKeptBody } from './responses'
import { assertScope, isForOwnOnly } from './scopes'

/** How a command is run. */
interface Way {
  /** The shared transaction in which it is one step; a failure undoes only that step. */
  readonly within?: Tx
  /** Whether it will be rolled back: the response's body is not made. */
  readonly isDry?: boolean | undefined
  /** The response to an unreadable body, unless another error comes first. */
  readonly unread?: ApiResponse
}

/** Without the remote, only a replica's operations run. */
type RunDeps = OperationDeps | ServerDeps

/** A command on its way through the stages. */
interface Step extends Way {
  readonly deps: RunDeps
  readonly endpoint: Endpoint
  readonly command: Command
  /** The original command. */
  readonly asked: Command
  /** The request with a key whose response is stored with its effect, */
  readonly request?: KeyedRequest | undefined
  /** or separately. */
  readonly claim?: Claim
  readonly tx?: Tx
  readonly input?: Input<Route>
}
type Next = (step: Step) => Promise<ApiResponse>
type Stage = (step: Step, next: Next) => Promise<ApiResponse>

/**
 * The stages of every command, from top to bottom. Before them, `server/server.ts` has matched a request's route (404, 405) and authenticated its
 * sender (401); batches, pushes and a replica's journal use the {@link Router}.
 */
const stages: readonly Stage[] = [
  // Turns everything thrown below into a response.
  respond,
  // 403: the scopes of the caller's token, for every way in.
  scoped,
  // 405: only a mutation can be a step of a shared transaction.
  fitsTransaction,
  // On a replica: current ids of records.
  localized,
  // 404, 402, 403, 412, and only then an unreadable body.
  refuseUnread,
  // Writes a non-JSON body to disk as it arrives.
  received,
  // Returns the stored response for a repeated `Idempotency-Key`; two requests with the same key do not run at the same time.
  once,
  // On a replica: forwards to the remote what only it can do.
  forwarded,
  // Fetches uploads from the operator's bucket, before a transaction begins.
  withFiles,
  // A transaction, or a savepoint in a shared one.
  onlyMutations(inTransaction),
  // Stores the response with its effect, also an error.
  onlyMutations(storedResponse),
  // 404, 402, 403 and 412 come before 400 and 422.
  parsed,
]

const pass = chain(stages, perform)

/** Runs a command. All ways in lead here. */
export function run(deps: RunDeps, command: Command, way: Way = {}): Promise<ApiResponse> {
  return pass({ deps, command, asked: command, endpoint: deps.api.endpointOf(command.route), ...way })
}

/**
 * Runs several operations of one endpoint together, in the caller's transaction. Throws if one of them would fail: the caller then undoes all and
 * runs each with {@link run} for its own result.
 */
export async function runTogether(deps: OperationDeps, commands: readonly Command[], within: Tx): Promise<void> {
  const [first] = commands
  const endpoint = first && deps.api.endpointOf(first.route)
  if (endpoint?.kind !== 'mutation' || !endpoint.together) throw new Error('These are not done together.')
  for (const command of commands) if (command.sender.caller.scopes !== null) await assertScoped(deps, command, within)
  const writes = commands.map((command) => {
    const tx = within.as(actorOf(command), command.operation?.minter)
    return { context: contextWithin(deps, command, tx), input: parseInput(command) }
  })
  await endpoint.together(writes)
}

function chain(list: readonly Stage[], last: Next): Next {
  return list.reduceRight<Next>((next, stage) => (step) => stage(step, next), last)
}

function onlyMutations(stage: Stage): Stage {
  return (step, next) => (step.endpoint.kind === 'mutation' ? stage(step, next) : next(step))
}

async function respond(step: Step, next: Next): Promise<ApiResponse> {
  try {
    return await next(step)
  } catch (error) {
    return toErrorResponse(error, { log: step.deps.log, command: step.command })
  }
}

/** Checks the scope by the route, and for tokens limited to their user's own records, by the record. */
async function assertScoped(deps: OperationDeps, command: Command, reader: Reader): Promise<void> {
  assertScope(command.sender.caller.scopes, command.route, command.body)
  if (isForOwnOnly(command)) await assertAccess(deps, reader, command)
}

async function scoped(step: Step, next: Next): Promise<ApiResponse> {
  if (step.command.sender.caller.scopes !== null) await assertScoped(step.deps, step.command, step.within ?? step.deps.store.reader)
  return next(step)
}

async function fitsTransaction(step: Step, next: Next): Promise<ApiResponse> {
  const { within, endpoint, command } = step
  if (within && endpoint.kind !== 'mutation') return messageResponse(405, translate(command.sender.locale, 'errors:method'))
  return next(step)
}

async function localized(step: Step, next: Next): Promise<ApiResponse> {
  // An operation already has local ids.
  if (step.command.operation) return next(step)
  return next({ ...step, command: await localize(step.deps, step.command) })
}

async function refuseUnread(step: Step, next: Next): Promise<ApiResponse> {
  if (!step.unread) return next(step)
  await assertAccess(step.deps, step.deps.store.reader, step.command)
  return step.unread
}

async function received(step: Step, next: Next): Promise<ApiResponse> {
  const { deps, command, endpoint } = step
  if (!command.content || endpoint.kind !== 'composite' || !endpoint.takes) return next(step)
  const { content, sender } = command
  const { most, noRoom } = endpoint.takes
  try {
    await assertAccess(deps, deps.store.reader, command)
    const taken = await receiveContent(deps, content, most(deps.settings))
    return await next({ ...step, command: { ...command, received: taken } }).finally(() => taken.file?.discard())
  } catch (error) {
    // The client has disconnected and cannot get the response.
    if (content.stream.errored) return messageResponse(408, translate(sender.locale, 'errors:cut_request'))
    if (noRoom !== undefined && isOutOfRoom(error)) return messageResponse(507, translate(sender.locale, `errors:${noRoom}`))
    throw error
  } finally {
    // A rejected body is read to its end, so that the sender can get the response.
    content.stream.resume()
  }
}

async function once(step: Step, next: Next): Promise<ApiResponse> {
  const { deps, asked, command, endpoint } = step
  const isRead = endpoint.kind === 'query' || command.route.method === 'GET'
  // Replaced ids and fetched files do not make it another request.
  const request = isRead ? undefined : toKeyedRequest({ ...asked, ...(command.received && { received: command.received }) })
  if (!request) return next(step)
  return holdKey(deps, request, async () => {
    const isApart = endpoint.kind === 'composite' || (!step.within && (await isForwarded(deps, command)))
    return isApart ? keepApart(deps, request, (claim) => next({ ...step, claim })) : next({ ...step, request })
  })
}

async function forwarded(step: Step, next: Next): Promise<ApiResponse> {
  const response = step.within ? undefined : await forward(withRemote(step.deps), step.command)
  return response ? withKeptBody(step.command.route, response) : next(step)
}

async function withFiles(step: Step, next: Next): Promise<ApiResponse> {
  if (step.within || step.endpoint.kind === 'query') return next(step)
  return next({ ...step, command: await takeFromBucket(step.deps, step.command) })
}

function inTransaction(step: Step, next: Next): Promise<ApiResponse> {
  const { deps, command, within } = step
  const work = (tx: Tx) => next({ ...step, tx })
  if (!within) return deps.store.transact(actorOf(command), work)
  return within.as(actorOf(command), command.operation?.minter).savepoint(work)
}

function storedResponse(step: Step, next: Next): Promise<ApiResponse> {
  const { deps, request } = step
  return request ? storeOnce(deps, request, { tx: txOf(step), work: (tx) => next({ ...step, tx }) }) : next(step)
}

/** Queries and mutations check access as they load records; a composite has no transaction to do so. */
async function parsed(step: Step, next: Next): Promise<ApiResponse> {
  const { deps, command, endpoint, tx = deps.store.reader } = step
  if (endpoint.kind === 'composite') await assertAccess(deps, tx, command)
  let input: Input<Route>
  try {
    input = parseInput(command)
  } catch (error) {
    if (endpoint.kind !== 'composite') await assertAccess(deps, tx, command)
    throw error
  }
  return next({ ...step, input })
}

/** Runs the handler; on a replica, a write is journalled with it. */
async function perform(step: Step): Promise<ApiResponse> {
  const { deps, command, endpoint, input } = step
  if (!input) throw new Error('A command is parsed before it is performed.')
  switch (endpoint.kind) {
    case 'query':
      return representRead(command, input, await endpoint.handle(contextOf(withRemote(deps), command), input))
    case 'mutation': {
      const handle = (tx: Tx) => endpoint.handle(contextWithin(deps, command, tx), input)
      const result = command.operation
        ? await handle(txOf(step))
        : await journal(contextWithin(withRemote(deps), command, txOf(step)), handle)
      // Nobody reads the response's body.
      const isUnread = command.operation !== undefined || step.isDry === true
      return represent(endpoint.route, isUnread ? { ...result, later: undefined, body: null } : result)
    }
    case 'composite': {
      const whole = withRemote(deps)
      const { claim } = step
      const write = (work: (tx: Tx) => Promise<ApiResponse>) =>
        deps.store.transact(actorOf(command), async (tx) => {
          const response = await work(tx)
          await claim?.keep(tx, response)
          return response
        })
      const within = (tx: Tx) => contextWithin(whole, command, tx)
      const uid = claim?.uid ?? deps.clock.uid()
      return endpoint.handle({ ...contextOf(whole, command), command, uid, write, within }, input)
    }
  }
}

function withRemote(deps: RunDeps): ServerDeps {
  if (!('replica' in deps)) throw new Error('Only an operation of a replica is run without the remote.')
  return deps
}

function txOf({ tx }: Step): Tx {
  if (!tx) throw new Error('A write has a transaction.')
  return tx
}
