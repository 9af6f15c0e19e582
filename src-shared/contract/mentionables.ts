import { z } from 'zod'
import {
  type FollowableKind,
  followableParams,
  followablePaths,
  followableWords,
  perFollowableKind,
  followableActions,
} from './followables'
import { imageEntry } from './representations'
import { nothing } from './requests'
import { route } from './route'

/** A user who can be mentioned (contract 2.12). */
export const mentionableRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    mention_name: z.string(),
    avatar: z.array(imageEntry),
  })
  .meta({ id: 'Mentionable' })
export type Mentionable = z.infer<typeof mentionableRepresentation>

function routesOf(kind: FollowableKind) {
  return {
    list: route({
      name: `${kind}_mentionables.list`,
      action: followableActions[kind],
      method: 'GET',
      path: `${followablePaths[kind]}/:${kind}_id/mentionables`,
      summary: `List those who can be mentioned in the comments of ${followableWords[kind]}`,
      params: followableParams(kind),
      query: nothing,
      body: nothing,
      response: z.object({ mentionables: z.array(mentionableRepresentation) }),
      status: 200,
    }),
  }
}

/** The users who can be mentioned under each followable record (contract 4.9). */
export const mentionableRoutes = perFollowableKind(routesOf)
