import { z } from 'zod'
import { type ParentKind, parentParams, parentPaths, parentWords, perParentKind, parentActions } from './parents'
import { userRepresentation } from './representations'
import { nothing } from './requests'
import { route } from './route'

function routesOf(kind: ParentKind) {
  const collection = {
    path: `${parentPaths[kind]}/:${kind}_id/participants`,
    params: parentParams(kind),
    query: nothing,
    body: nothing,
  }
  return {
    list: route({
      ...collection,
      name: `${kind}_participants.list`,
      action: parentActions[kind],
      method: 'GET',
      summary: `List those who take part in ${parentWords[kind]}`,
      response: z.object({ count: z.int(), participants: z.array(userRepresentation) }),
      status: 200,
    }),
    leave: route({
      ...collection,
      name: `${kind}_participants.destroy`,
      action: parentActions[kind],
      method: 'DELETE',
      summary: `Stop taking part in ${parentWords[kind]}`,
      response: z.null(),
      status: 204,
    }),
  }
}

/** Those who take part in each parent (contract 4.12). */
export const participantRoutes = perParentKind(routesOf)
