import { type ParentKind, parentKinds } from '#shared/contract/parents'
import { participantRoutes } from '#shared/contract/participants'
import { listParticipants } from '#main/store/records/conversations/participant-reader'
import { getVisibleParent } from '#main/use-cases/access/parents'
import { leaveParticipants } from '#main/use-cases/participants/leave-participants'
import { type Endpoint, mutation, query } from '../endpoint'
import { loadPeople, toUserRepresentation } from '../representations/people'

function endpointsOf(kind: ParentKind): Endpoint[] {
  const routes = participantRoutes[kind]
  return [
    query(routes.list, async (context, { params: { parent_id } }) => {
      const { parent } = await getVisibleParent(context.reader, kind, { id: parent_id, user_id: context.caller.user_id })
      const user_ids = (await listParticipants(context.reader, parent)).map(({ user_id }) => user_id)
      const people = await loadPeople(context, { user_ids, with_emails: true })
      return { body: { count: user_ids.length, participants: user_ids.map((id) => toUserRepresentation(people, id)) } }
    }),
    mutation(routes.leave, async ({ tx }, { params: { parent_id } }) => {
      await leaveParticipants(tx, { kind, parent_id })
      return { body: null }
    }),
  ]
}

/** Those who take part in each parent (contract 4.12). */
export const participantEndpoints: Endpoint[] = parentKinds.flatMap(endpointsOf)
