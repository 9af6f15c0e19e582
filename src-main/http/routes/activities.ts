import { activityRoutes, followableActivityRoutes } from '#shared/contract/activities'
import { type FollowableKind, followableKinds } from '#shared/contract/followables'
import { listActivitiesOf, listVisibleActivities } from '#main/store/records/conversations/activity-reader'
import { getVisibleFollowable, toSubject } from '#main/use-cases/access/followables'
import { type Endpoint, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { toActivities } from '../representations/activities'

function endpointOf(kind: FollowableKind): Endpoint {
  return query(
    followableActivityRoutes[kind].list,
    async (context, { params: { followable_id }, query: { emoji_in_unicode: isUnicode = false }, list }) => {
      const { followable } = await getVisibleFollowable(context.reader, kind, { id: followable_id, user_id: context.caller.user_id })
      const { rows, frame, next } = toPage(
        list,
        await listActivitiesOf(context.reader, { subject: toSubject(followable), ...windowOf(list) }),
      )
      return { body: { ...frame, activities: await toActivities(context, rows, { isUnicode }) }, next }
    },
  )
}

/** The audit trail of one record, and of everything that the caller may see (contract 4.2, supplement 2, "Activities"). */
export const activityEndpoints: Endpoint[] = [
  query(activityRoutes.list, async (context, { query: { emoji_in_unicode: isUnicode = false }, list }) => {
    const { rows, frame, next } = toPage(list, await listVisibleActivities(context.reader, context.caller, windowOf(list)))
    return { body: { ...frame, activities: await toActivities(context, rows, { isUnicode }) }, next }
  }),
  ...followableKinds.map(endpointOf),
]
