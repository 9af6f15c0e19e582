import { createHash } from 'node:crypto'
import { type FollowableKind, followableKinds } from '#shared/contract/followables'
import { mentionableRoutes } from '#shared/contract/mentionables'
import { participantRoutes } from '#shared/contract/participants'
import { listMentionables } from '#main/store/records/conversations/mentionable-reader'
import { listParticipants } from '#main/store/records/conversations/participants'
import { getVisibleFollowable } from '#main/use-cases/access/followables'
import { etagOf } from '#main/use-cases/access/preconditions'
import { leaveParticipants } from '#main/use-cases/participants/leave-participants'
import { type Endpoint, mutation, query } from '../endpoint'
import { loadPeople, toMentioned, toUserRepresentation } from '../representations/people'

function endpointOf(kind: FollowableKind): Endpoint {
  return query(mentionableRoutes[kind].list, async (context, { params: { followable_id } }) => {
    const { user_id } = context.caller
    const { followable } = await getVisibleFollowable(context.reader, kind, { id: followable_id, user_id })
    const users = await listMentionables(context.reader, { followable, asked_by: user_id })
    const people = await loadPeople(context, { user_ids: users.map(({ id }) => id), with_emails: true })
    const mentionables = users.map(({ id, uid }) => ({ id, uid, ...toMentioned(people, id) }))
    // A tag of the users, not of the bytes: an avatar's address gets a new signature from time to time.
    const seen = users.map((user, index) => [etagOf(user), mentionables[index]?.email])
    const etag = createHash('sha256').update(JSON.stringify(seen)).digest('hex')
    return { body: { mentionables }, etag, seen: context.seen_etag }
  })
}

/** The users who can be mentioned under each followable record (contract 4.9). */
export const mentionableEndpoints: Endpoint[] = followableKinds.map(endpointOf)

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
