import { joinNoticeRoutes } from '#shared/contract/join-notices'
import { membershipRoutes } from '#shared/contract/memberships'
import { listJoinNotices } from '#main/store/records/organizations/join-notices'
import { listMembers } from '#main/store/records/organizations/membership-reader'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { etagOf } from '#main/use-cases/access/preconditions'
import { erasePerson } from '#main/use-cases/memberships/erase-person'
import { inviteMembers } from '#main/use-cases/memberships/invite-members'
import { changeRole, getMember, leaveOrganization, readJoinNotice, removeMember } from '#main/use-cases/memberships/memberships'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { pageOfAll, toPage, windowOf } from '../paging'
import { toJoinNotices, toMemberships, toOneMembership } from '../representations/organizations'

async function visible({ reader, caller }: Context, id: number) {
  return (await getVisibleOrganization(reader, { id, user_id: caller.user_id, action: 'members.list' })).organization
}

/** Memberships (contract 4.10). */
export const membershipEndpoints: Endpoint[] = [
  query(membershipRoutes.list, async (context, { params: { organization_id }, list }) => {
    const organization = await visible(context, organization_id)
    const { rows, frame, next } = toPage(
      list,
      await listMembers(context.reader, { organization_id, user_id: context.caller.user_id }, { ...list, ...windowOf(list) }),
    )
    return { body: { ...frame, memberships: await toMemberships(context, organization, rows) }, next }
  }),
  query(membershipRoutes.show, async (context, { params }) => {
    const organization = await visible(context, params.organization_id)
    const row = await getMember(context.reader, params)
    return { body: await toOneMembership(context, organization, row), etag: etagOf(row) }
  }),
  mutation(membershipRoutes.invite, async ({ tx }, { params, body }) => {
    const emails = body.user?.email ?? body['user[email]'] ?? ''
    const counts = await inviteMembers(tx, params.organization_id, { emails, role: body.role })
    return {
      body: {
        total_recipients: String(counts.total),
        not_added_recipients: String(counts.not_added),
        added_recipients: String(counts.added),
        invalid_recipients: String(counts.invalid),
      },
      status: counts.invalid > 0 ? 422 : 201,
    }
  }),
  mutation(membershipRoutes.update, async (context, { params, body }) => {
    const row = await changeRole(context.tx, params, body)
    return { body: await toOneMembership(context, await visible(context, params.organization_id), row), etag: etagOf(row) }
  }),
  mutation(membershipRoutes.destroy, async ({ tx }, { params }) => {
    await removeMember(tx, params)
    return { body: null }
  }),
  mutation(membershipRoutes.erase, async ({ tx }, { params, body: { name } }) => {
    await erasePerson(tx, { ...params, name })
    return { body: null }
  }),
  mutation(membershipRoutes.leave, async ({ tx }, { params }) => {
    await leaveOrganization(tx, params.organization_id)
    return { body: null }
  }),
]

/** Notices about organizations to which the caller was added (extension). */
export const joinNoticeEndpoints: Endpoint[] = [
  query(joinNoticeRoutes.list, async (context, { list }) => {
    const { rows, frame, next } = pageOfAll(list, await listJoinNotices(context.reader, context.caller.user_id))
    return { body: { ...frame, join_notices: await toJoinNotices(context, rows) }, next }
  }),
  mutation(joinNoticeRoutes.destroy, async ({ tx }, { params }) => {
    await readJoinNotice(tx, params.id)
    return { body: null }
  }),
]
