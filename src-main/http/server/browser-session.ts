import type { Session } from '#shared/contract/instance/instance'
import type { Row } from '#db/schema'
import { cursorAtEnd, writeCursor } from '#main/change-feed/cursor'
import { toInstant } from '#shared/domain/dates'
import type { Door } from '#shared/domain/doors/doors'
import type { ApprovalTerm } from '#shared/domain/duties'
import { notFound } from '#shared/domain/errors'
import { languageOf } from '#main/store/records/users/user-language'
import { listMembershipsOf } from '#main/store/records/organizations/membership-reader'
import { listClosedMonths } from '#main/store/records/organizations/closed-months'
import { listOrganizationsByIds } from '#main/store/records/organizations/organization-reader'
import { findUser } from '#main/store/records/users/user-reader'
import { type OwnDuties, readOwnDuties } from '#main/use-cases/access/duties'
import { startSession } from '#main/use-cases/sessions/sessions'
import { type CookieName, cookieAt, isEncrypted } from './authentication'
import type { Context, WriteContext } from '../endpoint'
import { loadPeople, toUserRepresentation } from '../representations/people'

const sessionDays = 30

/** The signed-in user, and their organizations. */
export async function toSession(context: Context<'instance'>, user_id: number, way: Session['way']): Promise<Session> {
  const feed_place = writeCursor(await cursorAtEnd(context.reader, context.deps.instance.epoch))
  const user = await findUser(context.reader, user_id)
  if (!user) throw notFound()
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
      locale: languageOf(user),
      timezone: user.timezone,
      default_currency: user.default_currency,
    },
    memberships: await toMemberships(context, user_id, { memberships, live }),
    way,
    upload_max_bytes: context.deps.settings.upload_max_bytes,
    feed_place,
  }
}

async function toMemberships(
  { reader, deps }: Pick<Context, 'reader' | 'deps'>,
  user_id: number,
  { memberships, live }: { memberships: readonly Row<'memberships'>[]; live: ReadonlyMap<number, Row<'organizations'>> },
): Promise<Session['memberships']> {
  const shown = memberships.flatMap(({ role, organization_id }) => {
    const organization = live.get(organization_id)
    return organization ? [{ role, organization }] : []
  })
  return Promise.all(
    shown.map(async ({ role, organization: { id, uid, name, ...flags } }) => ({
      role,
      ...toOwnDuties(await readOwnDuties(reader, { payer_id: id, user_id, now: toInstant(deps.clock.now()) })),
      closed_months: [...(await listClosedMonths(reader, id))],
      organization: {
        id,
        uid,
        name,
        expired: flags.expired_at !== null,
        restricted_tags: flags.restricted_tags === 1,
        separate_approval: flags.separate_approval === 1,
        separate_payment: flags.separate_payment === 1,
      },
    })),
  )
}

function toOwnDuties({ authority, second_looks, ...duties }: OwnDuties) {
  return { ...duties, authority: authority?.map(toTerm) ?? null, second_looks: second_looks.map(toTerm) }
}

function toTerm({ amount_minor, currency, tag_ids }: ApprovalTerm) {
  return { amount_minor, currency, tag_ids: [...tag_ids] }
}

/** The header that sets a cookie, or removes it with an age of 0. */
export function cookieFor(
  { base_url }: Pick<Context, 'base_url'>,
  { name, secret, maxAge_s }: { name: CookieName; secret: string; maxAge_s: number },
): Record<string, string> {
  const secure = isEncrypted(base_url) ? ' Secure;' : ''
  return { 'set-cookie': `${cookieAt(base_url, name)}=${secret}; Path=/;${secure} HttpOnly; SameSite=Strict; Max-Age=${maxAge_s}` }
}

/** Begins a browser session; one begun with an API token ends with that token. Returns the session and its cookie header. */
export async function signIn(
  context: WriteContext<'instance'>,
  { user_id, door, api_token_id = null }: { user_id: number; door: Door; api_token_id?: number | null },
) {
  const user_agent = context.user_agent?.slice(0, 500) ?? null
  const secret = await startSession(context.tx, { user_id, api_token_id, door, user_agent, days: sessionDays })
  const headers = cookieFor(context, { name: 'session', secret, maxAge_s: sessionDays * 86_400 })
  return { body: await toSession(context, user_id, 'session'), headers }
}
