import { recoveryCodeRoutes } from '#shared/contract/instance/recovery-codes'
import { DomainError, invalid } from '#shared/domain/errors'
import { countRecoveryCodes } from '#main/store/records/users/recovery-codes'
import { isReplica } from '#main/store/sync/replica-state'
import { makeRecoveryCodes, redeemRecoveryCode } from '#main/use-cases/sessions/recovery-codes'
import { actorOf } from '../../command'
import { type CompositeContext, type Context, type Endpoint, composite, mutation, query } from '../../endpoint'
import { assertUnlimited } from '../../scopes'
import { signIn } from '../../server/browser-session'
import { countAttempt } from './attempts'

/** Throws on a replica: its users sign in at the remote. */
async function assertOffered({ reader }: Pick<Context, 'reader'>): Promise<void> {
  if (await isReplica(reader)) throw new DomainError({ kind: 'not_possible', code: 'no_recovery_codes' })
}

/** Recovery codes. */
export const recoveryCodeEndpoints: Endpoint[] = [
  query(recoveryCodeRoutes.show, async ({ reader, caller }) => ({
    body: { offered: !(await isReplica(reader)), ...(await countRecoveryCodes(reader, caller.user_id)) },
  })),
  mutation(recoveryCodeRoutes.create, async (context) => {
    assertUnlimited(context.caller)
    await assertOffered(context)
    return { body: { codes: await makeRecoveryCodes(context.tx) } }
  }),
  composite(recoveryCodeRoutes.signIn, async (context: CompositeContext<'failed_log_ins' | 'instance' | 'store'>, { body }) => {
    await assertOffered(context)
    await countAttempt(context)
    const { command, deps, within } = context
    const actor = actorOf(command)
    const result = await deps.store.transact(actor, async (tx) => {
      const user_id = await redeemRecoveryCode(tx, body.code)
      return user_id === undefined ? undefined : signIn(within(tx.as({ ...actor, user_id })), { user_id, door: 'recovery_code' })
    })
    if (!result) throw invalid('code', 'invalid')
    return { status: 201, body: result.body, headers: { ...result.headers, 'cache-control': 'no-store' } }
  }),
]
