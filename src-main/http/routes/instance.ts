import { instanceRoutes } from '#shared/contract/instance/instance'
import { feedStreams } from '#shared/contract/instance/feed'
import { syncStreams } from '#shared/contract/sync'
import { DomainError, invalid } from '#shared/domain/errors'
import { findApiToken } from '#main/store/records/users/api-token-reader'
import { isReplica } from '#main/store/sync/replica-state'
import { findLocalUser } from '#main/store/records/users/user-reader'
import { endSession } from '#main/use-cases/sessions/sessions'
import { setUpInstance } from '#main/use-cases/instance/set-up-instance'
import { findOpenIdPlace } from './doors/openid'
import { findPasskeyPlace } from './doors/passkeys'
import { hashSecret, isOver } from '../server/authentication'
import { cookieFor, signIn, toSession } from '../server/browser-session'
import { actorOf } from '../command'
import {
  type CompositeContext,
  type Context,
  type Input,
  type WriteContext,
  type Endpoint,
  type ServerDeps,
  composite,
  mutation,
  query,
} from '../endpoint'
import { describeApi } from '../openapi/document'
import type { ApiResponse } from '../refusals'
import { remoteFailure } from '../replica/remote'

/** The API's description, made once. */
const described = new WeakMap<ServerDeps['api'], Record<string, unknown>>()

/** Health, OpenAPI, browser sessions, and the first setup. */
export const instanceEndpoints: Endpoint[] = [
  query(instanceRoutes.health, ({ deps }) => Promise.resolve({ body: { status: 'ok' as const, version: deps.settings.version } })),
  query(instanceRoutes.openapi, ({ deps: { api, settings } }: Context<'api'>) => {
    const streams = [...Object.values(feedStreams), ...Object.values(syncStreams)]
    const body = described.get(api) ?? describeApi([...api.routes, ...streams], settings.version)
    described.set(api, body)
    return Promise.resolve({ body })
  }),
  query(instanceRoutes.showSession, async (context: Context<'instance'>) => ({
    body: await toSession(context, context.caller.user_id, context.caller.way),
  })),
  mutation(
    instanceRoutes.signIn,
    async (context: WriteContext<'entry_codes' | 'token_uses' | 'failed_log_ins' | 'instance'>, { body: { token, code } }) => {
      const { deps, reader, source } = context
      if (code !== undefined && (await deps.entry_codes.redeem(code))) {
        const user = await findLocalUser(reader)
        if (user) return signIn(context, { user_id: user.id, door: 'code' })
      }
      const found = token === undefined ? undefined : await findApiToken(reader, hashSecret(token.trim()))
      if (found && !isOver(found.expires_at, deps.clock.now())) {
        deps.token_uses.note(found.token_hash)
        return signIn(context, { user_id: found.user_id, door: 'token', api_token_id: found.id })
      }
      if (await deps.failed_log_ins.isThrottled(source)) throw new DomainError({ kind: 'throttled' })
      await deps.failed_log_ins.note(source)
      throw token === undefined ? invalid('code', 'invalid') : invalid('token', 'invalid')
    },
  ),
  mutation(instanceRoutes.signOut, async ({ tx, caller, base_url }) => {
    if (caller.session_hash !== null) await endSession(tx, caller.session_hash)
    return { body: null, headers: cookieFor({ base_url }, { name: 'session', secret: '', maxAge_s: 0 }) }
  }),
  query(instanceRoutes.showSetup, async (context: Context<'openid' | 'recoveries'>) => {
    const { deps, reader, caller } = context
    const needed = (await findLocalUser(reader)) === undefined
    const email_sign_in = deps.settings.email_sign_in && !(await isReplica(reader))
    const recovery_codes = !(await isReplica(reader))
    const passkey_origin = (await findPasskeyPlace(context))?.origin ?? null
    const place = await findOpenIdPlace(context)
    const openid = place ? { name: place.provider.settings.name, origin: place.origin } : null
    const recoveries = needed && caller.way === 'local' ? await deps.recoveries.list() : []
    return { body: { needed, email_sign_in, passkey_origin, recovery_codes, openid, recoveries } }
  }),
  mutation(instanceRoutes.setUp, async (context: WriteContext<'entry_codes' | 'fill_with_demo' | 'instance'>, { body }) => {
    if (await findLocalUser(context.reader)) throw new DomainError({ kind: 'not_possible', code: 'already_set_up' })
    if (context.caller.way !== 'local' && !(await context.deps.entry_codes.redeem(body.code ?? ''))) throw invalid('code', 'invalid')
    const { user_id } = body.kind === 'demo' ? await context.deps.fill_with_demo(context.tx) : await setUpInstance(context.tx, body)
    return signIn(context, { user_id, door: 'setup' })
  }),
  composite(instanceRoutes.setUpReplica, setUpReplica),
]

/** Connects to a remote outside any transaction, as it is called over the network. A failed connection does not use up a code. */
async function setUpReplica(
  { deps, command, caller, locale, reader, within }: CompositeContext<'entry_codes' | 'instance' | 'replica' | 'store'>,
  { body: { url, token, code = '' } }: Input<typeof instanceRoutes.setUpReplica>,
): Promise<ApiResponse> {
  if (await findLocalUser(reader)) throw new DomainError({ kind: 'not_possible', code: 'already_set_up' })
  const isLocal = caller.way === 'local'
  if (!isLocal && !(await deps.entry_codes.redeem(code))) throw invalid('code', 'invalid')
  const outcome = await deps.replica.connect({ url, token })
  if (outcome.kind === 'failed') {
    if (!isLocal) await deps.entry_codes.restore(code)
    return remoteFailure(outcome.failure, locale)
  }
  void deps.replica.syncSoon()
  const user = await findLocalUser(reader)
  if (!user) throw new Error('A replica has its user as soon as it is connected.')
  const result = await deps.store.transact({ ...actorOf(command), user_id: user.id }, (tx) =>
    signIn(within(tx), { user_id: user.id, door: 'setup' }),
  )
  return { status: 201, body: result.body, headers: result.headers }
}
