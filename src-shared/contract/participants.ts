import { z } from 'zod'
import {
  type FollowableKind,
  followableParams,
  followablePaths,
  followableWords,
  perFollowableKind,
  followableActions,
} from './followables'
import { userRepresentation } from './representations'
import { nothing } from './requests'
import { route } from './route'

function routesOf(kind: FollowableKind) {
  const collection = {
    path: `${followablePaths[kind]}/:${kind}_id/participants`,
    params: followableParams(kind),
    query: nothing,
    body: nothing,
  }
  return {
    list: route({
      ...collection,
      name: `${kind}_participants.list`,
      action: followableActions[kind],
      method: 'GET',
      summary: `List those who take part in ${followableWords[kind]}`,
      response: z.object({ count: z.int(), participants: z.array(userRepresentation) }),
      status: 200,
    }),
    leave: route({
      ...collection,
      name: `${kind}_participants.destroy`,
      action: followableActions[kind],
      method: 'DELETE',
      summary: `Stop taking part in ${followableWords[kind]}`,
      response: z.null(),
      status: 204,
    }),
  }
}

/** The participants of each followable record (contract 4.12). */
export const participantRoutes = perFollowableKind(routesOf)
