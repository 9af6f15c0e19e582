import { instanceRoutes } from '#shared/contract/instance'
import { Refused, invalid } from '#shared/domain/errors'
import { listMembershipsOf } from '#main/store/membership-reader'
import { listOrganizationsByIds } from '#main/store/organization-reader'
import { findApiToken } from '#main/store/api-token-reader'
import { findLocalUser, findUser } from '#main/store/user-reader'
import { endSession, startSession } from '#main/use-cases/sessions/sessions'
import { setUpInstance } from '#main/use-cases/instance/set-up-instance'
import { hashSecret, sessionCookie } from '../authentication'
import { type Context, type Endpoint, type WriteContext, mutation, query } from '../endpoint'
import { describeApi } from '../openapi/document'
import { loadPeople, toUserRepresentation } from '../representations/people'

const sessionDays = 30

async function toSession(context: Context, user_id: number, way: 'token' | 'session' | 'local') {
  const user = await findUser(context.reader, user_id)
  if (!user) throw new Refused({ kind: 'not_found' })
  const people = await loadPeople(context, { user_ids: [user_id], with_emails: true })
  const memberships = await listMembershipsOf(context.reader, user_id)
  const organizations = await listOrganizationsByIds(
    context.reader,
    memberships.map(({ organization_id }) => organization_id),
  )
  const live = new Map(organizations.filter(({ deleted_at }) => deleted_at === null).map((row) => [row.id, row]))
  return {
    user: {
      ...toUserRepresentation(people, user_id),
      locale: user.locale,
      timezone: user.timezone,
      default_currency: user.default_currency,
    },
    memberships: memberships.flatMap(({ role, organization_id }) => {
      const organization = live.get(organization_id)
      if (!organization) return []
      const { id, uid, name, expired_at, restricted_tags } = organization
      return [{ role, organization: { id, uid, name, expired: expired_at !== null, restricted_tags: restricted_tags === 1 } }]
    }),
    way,
    upload_max_bytes: context.deps.settings.upload_max_bytes,
  }
}

function cookieFor(secret: string, maxAge_s: number): Record<string, string> {
  return { 'set-cookie': `${sessionCookie}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge_s}` }
}

async function signedIn(context: WriteContext, user_id: number, api_token_id: number | null) {
  const secret = await startSession(context.tx, { user_id, api_token_id, days: sessionDays })
  return { body: await toSession(context, user_id, 'session'), headers: cookieFor(secret, sessionDays * 86_400) }
}

/** Health, OpenAPI, sessions of browsers, and the first set-up. */
export function instanceEndpoints(all: () => readonly Endpoint[]): Endpoint[] {
  let described: Record<string, unknown> | undefined
  return [
    query(instanceRoutes.health, ({ deps }) =>
      Promise.resolve({ body: { status: 'ok' as const, version: deps.settings.version } }),
    ),
    query(instanceRoutes.openapi, ({ deps }) => {
      described ??= describeApi(
        all().map(({ route }) => route),
        deps.settings.version,
      )
      return Promise.resolve({ body: described })
    }),
    query(instanceRoutes.showSession, async (context) => ({
      body: await toSession(context, context.caller.user_id, context.caller.way),
    })),
    mutation(instanceRoutes.signIn, async (context, { body: { token, code } }) => {
      const { deps, reader, request_source } = context
      if (code !== undefined && deps.entry_codes.redeem(code)) {
        const user = await findLocalUser(reader)
        if (user) return signedIn(context, user.id, null)
      }
      const found = token === undefined ? undefined : await findApiToken(reader, hashSecret(token.trim()))
      if (found) return signedIn(context, found.user_id, found.id)
      if (deps.failed_log_ins.isThrottled(request_source)) throw new Refused({ kind: 'throttled' })
      deps.failed_log_ins.note(request_source)
      throw token === undefined ? invalid('code', 'invalid') : invalid('token', 'invalid')
    }),
    mutation(instanceRoutes.signOut, async ({ tx, caller }) => {
      if (caller.session_hash !== null) await endSession(tx, caller.session_hash)
      return { body: null, headers: cookieFor('', 0) }
    }),
    query(instanceRoutes.showSetup, async ({ reader }) => ({ body: { needed: (await findLocalUser(reader)) === undefined } })),
    mutation(instanceRoutes.setUp, async (context, { body }) => {
      if (await findLocalUser(context.reader)) throw new Refused({ kind: 'not_possible', code: 'already_set_up' })
      if (context.caller.way !== 'local' && !context.deps.entry_codes.redeem(body.code ?? '')) throw invalid('code', 'invalid')
      const { user_id } =
        body.kind === 'demo' ? await context.deps.fill_with_demo(context.tx) : await setUpInstance(context.tx, body)
      return signedIn(context, user_id, null)
    }),
  ]
}
