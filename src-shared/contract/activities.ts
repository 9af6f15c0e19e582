import { z } from 'zod'
import {
  type FollowableKind,
  emojiPageQuery,
  followableParams,
  followablePaths,
  followableWords,
  perFollowableKind,
  unfiltered,
  followableActions,
} from './followables'
import { instantText, pageOf, userRepresentation } from './representations'
import { nothing } from './requests'
import { route } from './route'

const reference = z.object({ id: z.int(), type: z.string() })
const value = z.union([z.string(), z.number(), z.boolean()]).nullable()

/** An entry of the audit trail (contract 4.2, supplement 2, "Activities"). */
export const activityRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    subject: reference,
    /** The comment or attachment of the event; left out if the subject itself changed. */
    source: reference.optional(),
    occurred_at: instantText,
    created_at: instantText,
    user: userRepresentation,
    /** A sentence about the event in the caller's language. */
    changes: z.string(),
    details: z.array(z.object({ attribute: z.string(), from: value, to: value })),
  })
  .meta({ id: 'Activity' })
export type Activity = z.infer<typeof activityRepresentation>

const page = {
  query: emojiPageQuery,
  body: nothing,
  response: pageOf('activities', activityRepresentation),
  status: 200,
  list: unfiltered,
} as const

function routesOf(kind: FollowableKind) {
  return {
    list: route({
      ...page,
      name: `${kind}_activities.list`,
      action: followableActions[kind],
      method: 'GET',
      path: `${followablePaths[kind]}/:${kind}_id/activities`,
      summary: `List what happened to ${followableWords[kind]}`,
      params: followableParams(kind),
    }),
  }
}

/** The activities of each followable record (contract 4.2, supplement 2, "Activities"). */
export const followableActivityRoutes = perFollowableKind(routesOf)

/** The activities of everything that the caller may see. */
export const activityRoutes = {
  list: route({
    ...page,
    name: 'activities.list',
    action: 'activities.list',
    method: 'GET',
    path: '/activities',
    summary: 'List what happened to all that the caller may see',
    params: nothing,
  }),
}
