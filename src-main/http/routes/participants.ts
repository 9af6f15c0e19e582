import { type FollowableKind, followableKinds } from '#shared/contract/followables'
import { participantRoutes } from '#shared/contract/participants'
import { listParticipants } from '#main/store/records/conversations/participant-reader'
import { getVisibleFollowable } from '#main/use-cases/access/followables'
import { leaveParticipants } from '#main/use-cases/participants/leave-participants'
import { type Endpoint, mutation, query } from '../endpoint'
import { loadPeople, toUserRepresentation } from '../representations/people'

function endpointsOf(kind: FollowableKind): Endpoint[] {
  const routes = participantRoutes[kind]
  return [
    query(routes.list, async (context, { params: { followable_id } }) => {
      const { followable } = await getVisibleFollowable(context.reader, kind, { id: followable_id, user_id: context.caller.user_id })
      const user_ids = (await listParticipants(context.reader, followable)).map(({ user_id }) => user_id)
      const people = await loadPeople(context, { user_ids, with_emails: true })
      return { body: { count: user_ids.length, participants: user_ids.map((id) => toUserRepresentation(people, id)) } }
    }),
    mutation(routes.leave, async ({ tx }, { params: { followable_id } }) => {
      await leaveParticipants(tx, { kind, followable_id })
      return { body: null }
    }),
  ]
}

/** The participants of each followable record (contract 4.12). */
export const participantEndpoints: Endpoint[] = followableKinds.flatMap(endpointsOf)
