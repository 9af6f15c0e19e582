import { isDiskFull } from '#shared/domain/out-of-room'
import { inSpan } from '#main/spans'
import { findReplicaValue, writeReplicaValue } from '#main/store/sync/replica-state'
import { UnreadableRows } from '#main/store/sync/apply-rows'
import { compatiblePerformers } from './compat/performers'
import { type Exchange, getRemoteOf, stopFor, transact } from './exchange'
import { type Event, type State, type Step, next, start } from './machine'
import { RemoteError } from './remote-error'
import { downloads } from './steps/downloads'
import { handshake } from './steps/handshake'
import { topUpLeases } from './steps/leases'
import { pull } from './steps/pull'
import { push } from './steps/push'
import { rewind } from './steps/rewind'
import { settleSnapshot } from './steps/settle'
import { snapshot } from './steps/snapshot'
import { uploads } from './steps/uploads'
import { verify } from './steps/verify'
import { witness } from './steps/witness'

const performers: Readonly<Record<Step, (exchange: Exchange) => Promise<Event>>> = {
  handshake,
  rewind,
  snapshot,
  settle: settleSnapshot,
  leases: topUpLeases,
  uploads,
  push,
  pull,
  verify: async (exchange) => {
    await witness(exchange)
    return verify(exchange)
  },
  downloads,
}

/** How an exchange ended; `error` is a message for people. */
export interface Ended {
  readonly kind: 'synced' | 'offline' | 'stopped'
  readonly error: string | null
}

/** Runs one exchange from the handshake to its end. A full local disk ends it; the next one continues there. */
export async function runExchange(exchange: Exchange, onStep: (step: Step) => void = () => undefined): Promise<Ended> {
  try {
    return await inSpan('exchange', { isRoot: true }, () => runSteps(exchange, onStep))
  } catch (error) {
    if (!isDiskFull(error)) throw error
    return { kind: 'offline', error: 'The disk here is full. Make room: the next exchange goes on where this one was.' }
  }
}

/** Runs the state machine; all decisions are there. */
async function runSteps(exchange: Exchange, onStep: (step: Step) => void): Promise<Ended> {
  const stop = await findReplicaValue(exchange.store.reader, 'stop')
  // A guard's stop stays until a person decides; other reasons are checked again each time.
  if (stop?.kind === 'guard') return { kind: 'stopped', error: stop.message }
  if (stop) await transact(exchange, (tx) => writeReplicaValue(tx, 'stop', undefined))
  let state: State = start
  let error: string | null = null
  while (state.kind === 'running') {
    onStep(state.step)
    const { event, message } = await perform(exchange, state.step)
    error = message ?? error
    state = next(state, event)
  }
  const { kind } = state
  const stopped = await findReplicaValue(exchange.store.reader, 'stop')
  const ended = { kind, error: kind === 'synced' ? null : (stopped?.message ?? error) }
  await transact(exchange, async (tx) => {
    if (kind === 'synced') await writeReplicaValue(tx, 'allowed', undefined)
    const last = await findReplicaValue(tx, 'last_sync')
    const at = kind === 'synced' ? tx.now : (last?.at ?? '')
    await writeReplicaValue(tx, 'last_sync', { at, error: ended.error })
  })
  return ended
}

async function perform(exchange: Exchange, step: Step): Promise<{ event: Event; message?: string }> {
  try {
    const { is_compatible_only } = await getRemoteOf(exchange)
    return { event: await (is_compatible_only ? compatiblePerformers : performers)[step](exchange) }
  } catch (error) {
    if (error instanceof UnreadableRows || breaksSchema(error)) {
      const message = `What the remote sent cannot be kept here: ${error.message}`
      exchange.log.error({ err: error, step }, 'unreadable')
      return { event: await stopFor(exchange, { kind: 'unreadable', message }), message }
    }
    if (!(error instanceof RemoteError)) throw error
    const { failure, message } = error
    exchange.log.info({ step, failure, status: error.status, message }, 'the remote did not answer as it should')
    if (failure === 'unauthorized') return { event: await stopFor(exchange, { kind: 'unauthorized', message }), message }
    if (failure === 'unreadable' || failure === 'refused' || failure === 'no_sync')
      return { event: await stopFor(exchange, { kind: 'unreadable', message }), message }
    return { event: 'unreachable', message }
  }
}

/** Whether a table rejects a value: its type, size, or a constraint. */
function breaksSchema(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(String(error.code))
}
