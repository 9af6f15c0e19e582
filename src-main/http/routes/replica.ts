import { replicaRoutes } from '#shared/contract/instance/replica'
import { forbidden } from '#shared/domain/errors'
import { findReplicaValue } from '#main/store/sync/replica-state'
import { listChangedVerdicts } from '#main/store/sync/changed-verdicts'
import { listOffers } from '#main/store/sync/sync-offers'
import {
  type AnyCompositeContext,
  type AnyContext,
  type CompositeContext,
  type Context,
  type Endpoint,
  type ServerDeps,
  composite,
  query,
} from '../endpoint'
import type { ApiResponse } from '../refusals'
import { listFor, toOperation } from '../replica/operations'
import { acceptOffers, toOffer } from '../replica/offers'
import { mayChangeRemote, remoteFailure } from '../replica/remote'
import { toFlags } from '../representations/policies'
import { resolveOperations } from '../replica/resolve'

/** How many operations a list returns; its count covers all. */
const shownOperations = 1000

type Controlling = CompositeContext<'replica'>

async function toState({ replica }: Pick<ServerDeps, 'replica'>): Promise<ApiResponse> {
  return { status: 200, body: await replica.state(), headers: {} }
}

/** Actions on the replica as a whole. */
const controlEndpoints: Endpoint[] = [
  query(replicaRoutes.show, async ({ deps, reader, caller }: Context<'replica'>) => ({
    body: { ...(await deps.replica.state()), may_change: await mayChangeRemote(reader, caller) },
  })),
  composite(replicaRoutes.connect, async ({ deps, caller, locale }: Controlling, { body: { url, token } }) => {
    const outcome = await deps.replica.connect({ url, token, user_id: caller.user_id })
    if (outcome.kind === 'connected') {
      void deps.replica.syncSoon()
      return toState(deps)
    }
    return remoteFailure(outcome.failure, locale)
  }),
  composite(replicaRoutes.disconnect, async ({ deps }: Controlling, { query: { data } }) => {
    await deps.replica.disconnect(data)
    return { status: 204, body: null, headers: {} }
  }),
  composite(replicaRoutes.sync, async ({ deps }: Controlling) => {
    void deps.replica.syncSoon()
    return toState(deps)
  }),
  composite(replicaRoutes.decide, async ({ deps }: Controlling, { body: { decision } }) => {
    await deps.replica.decide(decision)
    void deps.replica.syncSoon()
    return toState(deps)
  }),
  composite(replicaRoutes.settings, async ({ deps }: Controlling, { body: { receipt_budget_bytes } }) => {
    await deps.replica.budget(receipt_budget_bytes)
    return toState(deps)
  }),
]

/** This instance as a replica of a remote one (supplement 4; `src-main/sync/SPEC.md`, "What a person sees"). */
export const replicaEndpoints: Endpoint[] = [
  ...controlEndpoints,
  query(replicaRoutes.operations, async (context: AnyContext, { query: { list } }) => {
    const rows = (await listFor(context.reader, list)).filter(({ user_id }) => user_id === context.caller.user_id)
    const operations = []
    for (const row of rows.slice(0, shownOperations)) operations.push(await toOperation(context, row))
    return { body: { count: rows.length, operations } }
  }),
  composite(replicaRoutes.resolve, async (context: AnyCompositeContext, { body }) => ({
    status: 200,
    body: await resolveOperations(context, body),
    headers: {},
  })),
  query(replicaRoutes.verdicts, async ({ reader, caller, deps }) => {
    const changed = await listChangedVerdicts(reader, { user_id: caller.user_id, nowMs: deps.clock.now().getTime() })
    const found = await toFlags(
      reader,
      changed.map((one) => one.found),
    )
    const gone = await toFlags(
      reader,
      changed.map((one) => one.gone),
    )
    const verdicts = changed.map(({ expense_id, noticed_at }, index) => ({
      expense_id,
      noticed_at,
      found: found[index] ?? [],
      gone: gone[index] ?? [],
    }))
    return { body: { verdicts } }
  }),
  composite(replicaRoutes.dismissVerdicts, async ({ deps }: Controlling, { body: { expense_ids } }) => {
    await deps.replica.dismissVerdicts(expense_ids)
    return { status: 204, body: null, headers: {} }
  }),
  query(replicaRoutes.offers, async ({ reader, caller }) => {
    const remote = await findReplicaValue(reader, 'remote')
    if (remote?.user_id !== caller.user_id) throw forbidden()
    const rows = await listOffers(reader)
    const offers = rows.map(toOffer)
    return { body: { count: offers.length, offers } }
  }),
  composite(replicaRoutes.accept, async (context: AnyCompositeContext, { body }) => {
    const remote = await findReplicaValue(context.reader, 'remote')
    if (remote?.user_id !== context.caller.user_id) throw forbidden()
    return { status: 200, body: await acceptOffers(context, body), headers: {} }
  }),
]
