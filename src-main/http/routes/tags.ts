import type { Row } from '#db/schema'
import { tagRoutes } from '#shared/contract/tags'
import { forbidden } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { listTags } from '#main/store/records/organizations/tag-reader'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { etagOf } from '#main/use-cases/access/preconditions'
import { createTag } from '#main/use-cases/tags/create-tag'
import { deleteTag } from '#main/use-cases/tags/delete-tag'
import { getTag } from '#main/use-cases/tags/tag-rules'
import { updateTag } from '#main/use-cases/tags/update-tag'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { toOneTag, toTags } from '../representations/tags'

async function roleIn({ reader, caller }: Context, id: number) {
  return (await getVisibleOrganization(reader, { id, user_id: caller.user_id, action: 'tags.list' })).membership.role
}

async function member(context: Context, row: Row<'tags'>) {
  return { body: await toOneTag(context, await roleIn(context, row.organization_id), row), etag: etagOf(row) }
}

/** Tags (contract 4.7). */
export const tagEndpoints: Endpoint[] = [
  query(tagRoutes.list, async (context, { params: { organization_id }, list }) => {
    const role = await roleIn(context, organization_id)
    const { rows, frame, next } = toPage(list, await listTags(context.reader, { organization_id, user_id: context.caller.user_id }, { ...list, ...windowOf(list) }))
    return { body: { ...frame, tags: await toTags(context, role, rows) }, next }
  }),
  mutation(tagRoutes.create, async (context, { params, body }) =>
    member(context, await createTag(context.tx, params.organization_id, body)),
  ),
  query(tagRoutes.show, async (context, { params }) => {
    const role = await roleIn(context, params.organization_id)
    const tag = await getTag(context.reader, params)
    if (!may('tags.show', { role })) throw forbidden()
    return member(context, tag)
  }),
  ...[tagRoutes.replace, tagRoutes.update].map((route) =>
    mutation(route, async (context, { params, body }) => member(context, await updateTag(context.tx, params, body))),
  ),
  mutation(tagRoutes.destroy, async ({ tx }, { params }) => {
    await deleteTag(tx, params)
    return { body: null }
  }),
]
