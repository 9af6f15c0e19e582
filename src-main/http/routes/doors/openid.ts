import { openIdRoutes } from '#shared/contract/instance/openid'
import { openIdReturnPath } from '#shared/domain/doors/doors'
import { DomainError } from '#shared/domain/errors'
import { isLoopback } from '#shared/domain/doors/loopback'
import { isReplica } from '#main/store/sync/replica-state'
import type { Failure, OpenIdProvider } from '#main/use-cases/sessions/open-id-provider'
import { admitByOpenId, beginOpenIdSignIn, openIdValidMs, takeOpenIdSignIn } from '#main/use-cases/sessions/openid-sign-in'
import { actorOf } from '../../command'
import { type CompositeContext, type Context, type Endpoint, type Input, composite } from '../../endpoint'
import type { ApiResponse } from '../../refusals'
import { cookieFor, signIn } from '../../server/browser-session'
import { countAttempt } from './attempts'

/** Where people sign in, and where browsers return to. */
interface OpenIdPlace {
  readonly provider: OpenIdProvider
  /** The origin of Outlay's pages. */
  readonly origin: string
}

/**
 * The address for signing in at a provider: the operator's public address, or this computer's without one. None on a replica: its users are the
 * remote's.
 */
export async function findOpenIdPlace({
  deps,
  base_url,
  reader,
}: Pick<Context<'openid'>, 'deps' | 'base_url' | 'reader'>): Promise<OpenIdPlace | undefined> {
  const { openid: provider, settings } = deps
  const { origin, hostname } = new URL(settings.public_url ?? base_url)
  if (!provider || (settings.public_url === null && !isLoopback(hostname)) || (await isReplica(reader))) return undefined
  return { provider, origin }
}

type DoorContext = CompositeContext<'failed_log_ins' | 'instance' | 'log' | 'openid' | 'store'>

async function getPlace(context: DoorContext): Promise<OpenIdPlace> {
  const place = await findOpenIdPlace(context)
  if (!place) throw new DomainError({ kind: 'not_possible', code: 'no_openid' })
  return place
}

/** Signing in at an OpenID provider, which is called between transactions. */
export const openIdEndpoints: Endpoint[] = [
  composite(openIdRoutes.begin, async (context: DoorContext, { body: { asks_again } }) => {
    const { provider, origin } = await getPlace(context)
    await countAttempt(context)
    const { deps, command, locale } = context
    const { secret, ...asked } = await deps.store.transact(actorOf(command), beginOpenIdSignIn)
    const redirect_uri = `${origin}${openIdReturnPath}`
    const place = await provider.authorize({ ...asked, redirect_uri }, { language: locale, asks_again })
    if (place.kind !== 'ready') throw refusalOf(context, provider, place)
    const cookie = cookieFor(context, { name: 'openid', secret, maxAge_s: openIdValidMs / 1000 })
    return { status: 201, body: { address: place.address }, headers: { ...cookie, 'cache-control': 'no-store' } }
  }),
  composite(openIdRoutes.signIn, signInByOpenId),
]

async function signInByOpenId(context: DoorContext, { body: { answer } }: Input<typeof openIdRoutes.signIn>): Promise<ApiResponse> {
  const { provider, origin } = await getPlace(context)
  const { command, deps, within, locale, openid_secret: secret = '' } = context
  const actor = actorOf(command)
  const state = new URLSearchParams(answer).get('state') ?? ''
  // Used up before the response is checked, so that an error does not make it valid again.
  const taken = await deps.store.transact(actor, (tx) => takeOpenIdSignIn(tx, { state, secret }))
  if (!taken) throw new DomainError({ kind: 'not_possible', code: 'openid_over' })
  const expected = { ...taken, state, code_verifier: secret, redirect_uri: `${origin}${openIdReturnPath}` }
  const answered = await provider.identify(answer, expected)
  if (answered.kind !== 'identified') throw refusalOf(context, provider, answered)
  const result = await deps.store.transact(actor, async (tx) => {
    const user_id = await admitByOpenId(tx, answered.identity, { settings: provider.settings, locale })
    return signIn(within(tx.as({ ...actor, user_id })), { user_id, door: 'openid' })
  })
  return { status: 201, body: result.body, headers: { ...result.headers, 'cache-control': 'no-store' } }
}

/** The reason goes to the operator's log; the user sees what to do. */
function refusalOf({ deps }: DoorContext, { settings }: OpenIdProvider, { kind, reason }: Failure): DomainError {
  deps.log.warn({ reason }, `the OpenID provider signed nobody in: ${kind}`)
  return new DomainError({ kind: 'not_possible', code: `openid_${kind}`, params: { provider: settings.name } })
}
