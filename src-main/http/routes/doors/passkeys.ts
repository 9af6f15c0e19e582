import type { Row } from '#db/schema'
import { type Passkey, passkeyRoutes } from '#shared/contract/instance/passkeys'
import { DomainError, invalid } from '#shared/domain/errors'
import { findPasskey, listPasskeys } from '#main/store/records/users/passkeys'
import { isReplica } from '#main/store/sync/replica-state'
import {
  type PasskeyPlace,
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  passkeyPlaceAt,
  removePasskey,
  takeAnswered,
  usePasskey,
  verifyNewPasskey,
  verifyPasskey,
} from '#main/use-cases/sessions/passkeys'
import { actorOf } from '../../command'
import { type CompositeContext, type Context, type Endpoint, type Input, composite, mutation, query } from '../../endpoint'
import type { ApiResponse } from '../../refusals'
import { signIn } from '../../server/browser-session'
import { assertUnlimited } from '../../scopes'
import { countAttempt } from './attempts'

/**
 * The address for passkeys: the operator's public address; without one, localhost if the caller used it. None on a replica: its users are the
 * remote's.
 */
export async function findPasskeyPlace({
  deps,
  base_url,
  reader,
}: Pick<Context, 'deps' | 'base_url' | 'reader'>): Promise<PasskeyPlace | undefined> {
  const { public_url } = deps.settings
  const place = passkeyPlaceAt(public_url ?? base_url)
  if (!place || (public_url === null && place.rp_id !== 'localhost')) return undefined
  return (await isReplica(reader)) ? undefined : place
}

async function getPlace(context: Pick<Context, 'deps' | 'base_url' | 'reader'>): Promise<PasskeyPlace> {
  const place = await findPasskeyPlace(context)
  if (!place) throw new DomainError({ kind: 'not_possible', code: 'no_passkeys' })
  return place
}

function toRepresentation({ id, name, created_at, last_used_at, cloned_at }: Row<'passkeys'>): Passkey {
  return { id, name, created_at, last_used_at, cloned_at }
}

type DoorContext = CompositeContext<'failed_log_ins' | 'instance' | 'log' | 'store'>

/** Passkeys. A challenge is used up in a transaction before its response is checked, so that an error does not make it valid again. */
export const passkeyEndpoints: Endpoint[] = [
  query(passkeyRoutes.list, async (context) => {
    const origin = (await findPasskeyPlace(context))?.origin ?? null
    return { body: { origin, passkeys: (await listPasskeys(context.reader, context.caller.user_id)).map(toRepresentation) } }
  }),
  mutation(passkeyRoutes.challenge, async (context) => {
    assertUnlimited(context.caller)
    return { body: await beginPasskey(context.tx, await getPlace(context)) }
  }),
  composite(passkeyRoutes.create, add),
  mutation(passkeyRoutes.destroy, async ({ tx }, { params }) => {
    await removePasskey(tx, params.id)
    return { body: null }
  }),
  composite(passkeyRoutes.ask, async (context: DoorContext) => {
    const place = await getPlace(context)
    await countAttempt(context)
    const body = await context.deps.store.transact(actorOf(context.command), (tx) => beginPasskeySignIn(tx, place))
    return { status: 201, body, headers: { 'cache-control': 'no-store' } }
  }),
  composite(passkeyRoutes.signIn, signInByPasskey),
]

async function add(context: DoorContext, { body: { name, passkey } }: Input<typeof passkeyRoutes.create>): Promise<ApiResponse> {
  const { caller, command, deps, write } = context
  assertUnlimited(caller)
  const place = await getPlace(context)
  const taken = await deps.store.transact(actorOf(command), (tx) => takeAnswered(tx, 'add_passkey', passkey))
  if (taken?.user_id !== caller.user_id) throw invalid('passkey', 'expired')
  const found = await verifyNewPasskey(passkey, { ...taken, ...place })
  if (found.kind === 'refused') {
    deps.log.info({ reason: found.reason }, 'a passkey was not added')
    throw invalid('passkey', 'invalid')
  }
  return write(async (tx) => ({ status: 201, body: toRepresentation(await addPasskey(tx, { ...found.of, name })), headers: {} }))
}

async function signInByPasskey(
  context: DoorContext,
  { body: { passkey: given } }: Input<typeof passkeyRoutes.signIn>,
): Promise<ApiResponse> {
  const { command, deps, reader, within } = context
  const place = await getPlace(context)
  const actor = actorOf(command)
  const taken = await deps.store.transact(actor, (tx) => takeAnswered(tx, 'passkey', given))
  if (!taken) throw invalid('passkey', 'expired')
  const passkey = await findPasskey(reader, given.id)
  if (!passkey) throw invalid('passkey', 'invalid')
  const found = await verifyPasskey(given, { ...taken, ...place, passkey })
  if (found.kind === 'refused') {
    deps.log.info({ reason: found.reason }, 'a passkey was refused')
    throw invalid('passkey', 'invalid')
  }
  const { user_id } = passkey
  const result = await deps.store.transact(actor, async (tx) => {
    const own = tx.as({ ...actor, user_id })
    const outcome = await usePasskey(own, passkey.credential_id, found.of)
    return outcome === 'used' ? signIn(within(own), { user_id, door: 'passkey' }) : outcome
  })
  if (result === 'unknown') throw invalid('passkey', 'invalid')
  if (result === 'cloned') throw new DomainError({ kind: 'not_possible', code: 'passkey_cloned' })
  return { status: 201, body: result.body, headers: { ...result.headers, 'cache-control': 'no-store' } }
}
