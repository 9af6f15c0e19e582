import { activityRoutes, parentActivityRoutes } from '#shared/contract/activities'
import { type ParentKind, parentKinds } from '#shared/contract/parents'
import { listActivitiesOf, listVisibleActivities } from '#main/store/records/conversations/activity-reader'
import { getVisibleParent, toSubject } from '#main/use-cases/access/parents'
import { type Endpoint, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { toActivities } from '../representations/activities'

function endpointOf(kind: ParentKind): Endpoint {
  return query(
    parentActivityRoutes[kind].list,
    async (context, { params: { parent_id }, query: { emoji_in_unicode: isUnicode = false }, list }) => {
      const { parent } = await getVisibleParent(context.reader, kind, { id: parent_id, user_id: context.caller.user_id })
      const { rows, frame, next } = toPage(
        list,
        await listActivitiesOf(context.reader, { subject: toSubject(parent), ...windowOf(list) }),
      )
      return { body: { ...frame, activities: await toActivities(context, rows, { isUnicode }) }, next }
    },
  )
}

/** The audit trail, of one record and of all that the caller may see (contract 4.2, supplement 2, "Activities"). */
export const activityEndpoints: Endpoint[] = [
  query(activityRoutes.list, async (context, { query: { emoji_in_unicode: isUnicode = false }, list }) => {
    const { rows, frame, next } = toPage(
      list,
      await listVisibleActivities(context.reader, context.caller.user_id, windowOf(list)),
    )
    return { body: { ...frame, activities: await toActivities(context, rows, { isUnicode }) }, next }
  }),
  ...parentKinds.map(endpointOf),
]
