import { replicaRoutes } from '#shared/contract/instance/replica'
import { forbidden } from '#shared/domain/errors'
import { translate } from '#shared/i18n/translations'
import { countUsers } from '#main/store/records/users/user-reader'
import { findReplicaValue } from '#main/store/sync/replica-state'
import { listOffers } from '#main/store/sync/sync-offers'
import { composite } from '../composite'
import { type Call, type Endpoint, type ServerDeps, query } from '../endpoint'
import { parseBody, parseInput } from '../parse-input'
import { localeOf } from '../call'
import { type ApiResponse, messageResponse } from '../refusals'
import { listFor, toOperation } from '../replica/operations'
import { acceptOffers, toOffer } from '../replica/offers'
import { remoteFailure } from '../replica/remote-failure'
import { resolveOperations } from '../replica/resolve'
import type { Router } from '../router'

/** How many operations a list answers; the count is of all. */
const shownOperations = 1000

/** A remote concerns all users of an instance: only a single user, here or at the desktop, may name one. */
async function assertSingleSeat({ store }: ServerDeps, { caller }: Call): Promise<void> {
  const remote = await findReplicaValue(store.reader, 'remote')
  if (remote?.user_id === caller.user_id || caller.way === 'local') return
  if (remote || (await countUsers(store.reader)) > 1) throw forbidden()
}

async function toState({ replica_control }: ServerDeps, status = 200): Promise<ApiResponse> {
  return { status, body: await replica_control.state(), headers: {} }
}

/** What a person can say to the replica as a whole. */
const controlEndpoints: Endpoint[] = [
  query(replicaRoutes.show, async ({ deps }) => ({ body: await deps.replica_control.state() })),
  composite(replicaRoutes.connect, async (deps, call) => {
    await assertSingleSeat(deps, call)
    const { url, token } = parseBody(replicaRoutes.connect, call.body)
    const outcome = await deps.replica_control.connect({ url, token, user_id: call.caller.user_id })
    if (outcome.kind === 'connected') {
      void deps.replica_control.syncSoon()
      return toState(deps)
    }
    return remoteFailure(outcome.failure, localeOf(call))
  }),
  composite(replicaRoutes.disconnect, async (deps, call) => {
    await assertSingleSeat(deps, call)
    await deps.replica_control.disconnect(
      replicaRoutes.disconnect.query.parse(parseInput(replicaRoutes.disconnect, call).query).data,
    )
    return { status: 204, body: null, headers: {} }
  }),
  composite(replicaRoutes.sync, async (deps) => {
    void deps.replica_control.syncSoon()
    return toState(deps)
  }),
  composite(replicaRoutes.decide, async (deps, call) => {
    await assertSingleSeat(deps, call)
    const { decision } = parseBody(replicaRoutes.decide, call.body)
    await deps.replica_control.decide(decision)
    if (decision === 'allow') void deps.replica_control.syncSoon()
    return toState(deps)
  }),
  composite(replicaRoutes.settings, async (deps, call) => {
    await assertSingleSeat(deps, call)
    const { receipt_budget_bytes } = parseBody(replicaRoutes.settings, call.body)
    await deps.replica_control.budget(receipt_budget_bytes)
    return toState(deps)
  }),
]

/** This instance as a replica of a remote one (supplement 4; `src-main/sync/SPEC.md`, "What a person sees"). */
export const replicaEndpoints = (router: () => Router): Endpoint[] => [
  ...controlEndpoints,
  query(replicaRoutes.operations, async (context, { query: { list } }) => {
    const rows = (await listFor(context.reader, list)).filter(({ user_id }) => user_id === context.caller.user_id)
    const operations = []
    for (const row of rows.slice(0, shownOperations)) operations.push(await toOperation(context, router(), row))
    return { body: { count: rows.length, operations } }
  }),
  composite(replicaRoutes.resolve, async (deps, call) => ({
    status: 200,
    body: await resolveOperations(deps, call, { ...parseBody(replicaRoutes.resolve, call.body), router: router() }),
    headers: {},
  })),
  query(replicaRoutes.offers, async ({ reader, caller }) => {
    const remote = await findReplicaValue(reader, 'remote')
    if (remote?.user_id !== caller.user_id) throw forbidden()
    const rows = await listOffers(reader)
    const offers = rows.map(toOffer)
    return { body: { count: offers.length, offers } }
  }),
  composite(replicaRoutes.accept, async (deps, call) => {
    const input = parseBody(replicaRoutes.accept, call.body)
    const remote = await findReplicaValue(deps.store.reader, 'remote')
    if (remote?.user_id !== call.caller.user_id) return messageResponse(403, translate(localeOf(call), 'errors:forbidden'))
    return { status: 200, body: await acceptOffers(deps, call, { ...input, router: router() }), headers: {} }
  }),
]
