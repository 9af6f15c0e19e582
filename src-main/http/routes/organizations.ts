import type { Row } from '#db/schema'
import { organizationRoutes } from '#shared/contract/organizations'
import { listOrganizationsOf } from '#main/store/records/organizations/organization-reader'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { etagOf } from '#main/use-cases/access/preconditions'
import { createOrganization, deleteOrganization, updateOrganization } from '#main/use-cases/organizations/organizations'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { toOneOrganization, toOrganizations } from '../representations/organizations'

async function member(context: Context, row: Row<'organizations'>) {
  return { body: await toOneOrganization(context, row), etag: etagOf(row) }
}

/** Organizations (supplement 2, "Organizations"). */
export const organizationEndpoints: Endpoint[] = [
  query(organizationRoutes.list, async (context, { list }) => {
    const { rows, frame, next } = toPage(
      list,
      await listOrganizationsOf(context.reader, context.caller.user_id, { ...list, ...windowOf(list) }),
    )
    return { body: { ...frame, organizations: await toOrganizations(context, rows) }, next }
  }),
  mutation(organizationRoutes.create, async (context, { body }) => member(context, await createOrganization(context.tx, body))),
  query(organizationRoutes.show, async (context, { params: { id } }) => {
    const { organization } = await getVisibleOrganization(context.reader, { id, user_id: context.caller.user_id })
    return member(context, organization)
  }),
  ...[organizationRoutes.replace, organizationRoutes.update].map((route) =>
    mutation(route, async (context, { params, body }) => member(context, await updateOrganization(context.tx, params.id, body))),
  ),
  mutation(organizationRoutes.destroy, async ({ tx }, { params }) => {
    await deleteOrganization(tx, params.id)
    return { body: null }
  }),
]
