import { z } from 'zod'
import { unfiltered } from './followables'
import { instantText, pageOf, partyObject, role } from './representations'
import { idParams, listQuery, nothing } from './requests'
import { route } from './route'

/** Someone added the caller to an organization, and the caller has not acknowledged it yet (supplement 3, "Participation"). */
export const joinNoticeRepresentation = z
  .object({
    id: z.int().meta({ description: 'The id of the membership' }),
    organization: partyObject,
    role,
    added_by: partyObject,
    created_at: instantText,
  })
  .meta({ id: 'JoinNotice' })
export type JoinNotice = z.infer<typeof joinNoticeRepresentation>

const shared = { query: nothing, action: 'account.manage', body: nothing } as const

/** The endpoints of notices about organizations to which the caller was added (extension). */
export const joinNoticeRoutes = {
  list: route({
    ...shared,
    name: 'join_notices.list',
    method: 'GET',
    path: '/join_notices',
    summary: 'List the organizations that someone added the caller to, until they have read it',
    params: nothing,
    query: listQuery,
    list: unfiltered,
    response: pageOf('join_notices', joinNoticeRepresentation),
    status: 200,
  }),
  destroy: route({
    ...shared,
    name: 'join_notices.destroy',
    method: 'DELETE',
    path: '/join_notices/:id',
    summary: 'Confirm that the caller has read a notice',
    params: idParams,
    response: z.null(),
    status: 204,
  }),
}
