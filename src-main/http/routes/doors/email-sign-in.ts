import { emailSignInRoutes } from '#shared/contract/instance/email-sign-in'
import { DomainError, invalid } from '#shared/domain/errors'
import { isReplica } from '#main/store/sync/replica-state'
import { askForCode, noteEmailSignIn, redeemCode } from '#main/use-cases/sessions/email-sign-in'
import { actorOf } from '../../command'
import { type CompositeContext, type Endpoint, composite } from '../../endpoint'
import { signIn } from '../../server/browser-session'
import { countAttempt } from './attempts'

type SignInContext = CompositeContext<'failed_log_ins' | 'instance' | 'store'>

/** Throws without a mail server, or on a replica, whose remote sends the mail. */
async function assertOffered({ deps, reader }: SignInContext): Promise<void> {
  if (!deps.settings.email_sign_in || (await isReplica(reader))) throw new DomainError({ kind: 'not_possible', code: 'no_email_sign_in' })
}

/** Signing in by e-mail. An error does not roll back the transaction: wrong codes stay counted. */
export const emailSignInEndpoints: Endpoint[] = [
  composite(emailSignInRoutes.ask, async (context: SignInContext, { body: { email, locale = context.locale } }) => {
    await assertOffered(context)
    await countAttempt(context)
    await context.deps.store.transact(actorOf(context.command), (tx) => askForCode(tx, { email, locale }))
    return { status: 204, body: null, headers: {} }
  }),
  composite(emailSignInRoutes.redeem, async (context: SignInContext, { body }) => {
    await assertOffered(context)
    await countAttempt(context)
    const { command, deps, within } = context
    const actor = actorOf(command)
    const result = await deps.store.transact(actor, async (tx) => {
      const user_id = await redeemCode(tx, body)
      if (user_id === undefined) return undefined
      const own = tx.as({ ...actor, user_id })
      await noteEmailSignIn(own, user_id)
      return signIn(within(own), { user_id, door: 'email' })
    })
    if (!result) throw invalid(body.link === undefined ? 'code' : 'link', 'invalid')
    return { status: 201, body: result.body, headers: { ...result.headers, 'cache-control': 'no-store' } }
  }),
]
