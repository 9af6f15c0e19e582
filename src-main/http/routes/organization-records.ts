import type { z } from 'zod'
import type { listQuery, organizationParams } from '#shared/contract/requests'
import type { Route } from '#shared/contract/route'
import type { Action } from '#shared/domain/permissions'
import type { Role } from '#shared/domain/roles'
import type { OrganizationRecordTable } from '#shared/records/index'
import { type OrganizationRow, listOrganizationRecords } from '#main/store/records/organizations/organization-records'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { etagOf } from '#main/use-cases/access/preconditions'
import {
  createOrganizationRecord,
  deleteOrganizationRecord,
  getOrganizationRecord,
  updateOrganizationRecord,
} from '#main/use-cases/organization-records/organization-records'
import type { OrganizationRecord } from '#main/use-cases/organization-records/plain-organization-record'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'

type Member = z.ZodType<{ organization_id: number; id: number }>
type Params = typeof organizationParams

/** The routes of an organization record (`contract/record-routes`). */
interface RecordRoutes<I, S> {
  readonly list: Route<Params, typeof listQuery>
  readonly create: Route<Params, z.ZodType, z.ZodType<I>, z.ZodType<S, S>>
  readonly show: Route<Member, z.ZodType, z.ZodType, z.ZodType<S, S>>
  readonly replace: Route<Member, z.ZodType, z.ZodType<Partial<I>>, z.ZodType<S, S>>
  readonly update: Route<Member, z.ZodType, z.ZodType<Partial<I>>, z.ZodType<S, S>>
  readonly destroy: Route<Member, z.ZodType, z.ZodType, z.ZodNull>
}

/** The parts of an organization record's endpoints. `show`: records as a caller in this role sees them, in order. */
export interface RecordEndpoints<T extends OrganizationRecordTable, I extends Readonly<Record<string, unknown>>, S> {
  readonly routes: RecordRoutes<I, S>
  readonly record: OrganizationRecord<T, I>
  readonly show: (context: Context, role: Role, rows: ReadonlyArray<OrganizationRow<T>>) => S[] | Promise<S[]>
}

/** Makes the endpoints of an organization record. */
export function organizationRecordEndpoints<T extends OrganizationRecordTable, I extends Readonly<Record<string, unknown>>, S>({
  routes,
  record,
  show,
}: RecordEndpoints<T, I, S>): Endpoint[] {
  const member = async (context: Context, row: OrganizationRow<T>, action: Action = routes.list.action) => {
    const [body] = await show(context, await roleIn(context, row.organization_id, action), [row])
    if (body === undefined) throw new Error(`A record of ${record.table} has no representation.`)
    return { body, etag: etagOf(row) }
  }
  return [
    query(routes.list, async (context, { params: { organization_id }, list }) => {
      const role = await roleIn(context, organization_id, routes.list.action)
      const asked = { organization_id, user_id: context.caller.user_id, ...list, ...windowOf(list) }
      const { rows, frame, next } = toPage(list, await listOrganizationRecords(context.reader, record.table, asked))
      return { body: { ...frame, [record.table]: await show(context, role, rows) }, next }
    }),
    mutation(routes.create, async (context, { params, body }) =>
      member(context, await createOrganizationRecord(context.tx, record, { ...params, input: body })),
    ),
    query(routes.show, async (context, { params }) => {
      const { user_id } = context.caller
      await roleIn(context, params.organization_id, routes.list.action)
      return member(context, await getOrganizationRecord(context.reader, record.table, { ...params, user_id }), routes.show.action)
    }),
    ...[routes.replace, routes.update].map((route) =>
      mutation(route, async (context, { params, body }) =>
        member(context, await updateOrganizationRecord(context.tx, record, { key: params, input: body })),
      ),
    ),
    mutation(routes.destroy, async ({ tx }, { params }) => {
      await deleteOrganizationRecord(tx, record, params)
      return { body: null }
    }),
  ]
}

async function roleIn({ reader, caller }: Context, id: number, action: Action): Promise<Role> {
  return (await getVisibleOrganization(reader, { id, user_id: caller.user_id, action })).membership.role
}
