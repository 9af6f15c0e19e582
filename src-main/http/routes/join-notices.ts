import { joinNoticeRoutes } from '#shared/contract/join-notices'
import { listJoinNotices } from '#main/store/records/organizations/join-notices'
import { readJoinNotice } from '#main/use-cases/memberships/memberships'
import { type Endpoint, mutation, query } from '../endpoint'
import { pageOfAll } from '../paging'
import { toJoinNotices } from '../representations/organizations'

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
