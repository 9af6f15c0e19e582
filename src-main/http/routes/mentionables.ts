import { createHash } from 'node:crypto'
import { mentionableRoutes } from '#shared/contract/mentionables'
import { type FollowableKind, followableKinds } from '#shared/contract/followables'
import { listMentionables } from '#main/store/records/conversations/mentionable-reader'
import { getVisibleFollowable } from '#main/use-cases/access/followables'
import { etagOf } from '#main/use-cases/access/preconditions'
import { type Endpoint, query } from '../endpoint'
import { loadPeople, toMentioned } from '../representations/people'

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
