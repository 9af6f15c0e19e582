import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { listQuery, organizationParams } from '#shared/contract/requests'
import type { Route } from '#shared/contract/route'
import { call, etagOf } from './client'
import { ownWritesShown } from './own-writes'
import { pageSize as per_page, readWhole } from './pages'
import { keyRoots } from './keys'

type Stored = { readonly id: number; readonly uid: string; readonly version: number }
type Place = typeof organizationParams
type Member = z.ZodType<unknown, { organization_id: string | number; id: string | number }>

/** The routes of a record of an organization (`contract/record-routes`). */
interface RecordRoutes<T extends string, R, B extends z.ZodType> {
  readonly list: Route<Place, typeof listQuery, z.ZodType, z.ZodType<{ count: number } & { [K in T]: R[] }>>
  readonly create: Route<Place, z.ZodType, B, z.ZodType<R>>
  readonly update: Route<Member, z.ZodType, z.ZodType, z.ZodType<R>>
  readonly destroy: Route<Member, z.ZodType, z.ZodType, z.ZodNull>
}

/** A write of such records; `record` as the user saw it. */
export type RecordWrite<R, F> =
  | { readonly kind: 'create'; readonly fields: F }
  | { readonly kind: 'change'; readonly record: R; readonly fields: F }
  | { readonly kind: 'delete'; readonly record: R }

/** Reads and writes of a record of an organization. */
export function organizationRecordApi<const T extends string, R extends Stored, B extends z.ZodType>(
  table: T,
  routes: RecordRoutes<T, R, B>,
) {
  type Write = RecordWrite<R, z.input<B>>
  const allOf = (organization_id: number) =>
    queryOptions({
      queryKey: [...keyRoots.organizations, organization_id, table],
      queryFn: ({ signal }) =>
        readWhole(async (page) => {
          const read = await call(routes.list, { params: { organization_id }, query: { sort: '-created_at', page, per_page }, signal })
          return { rows: read[table], count: read.count }
        }),
    })
  const send = (organization_id: number, write: Write): Promise<R | null> => {
    if (write.kind === 'create') return call(routes.create, { params: { organization_id }, body: write.fields })
    const at = { params: { organization_id, id: write.record.id }, ifMatch: etagOf(write.record) }
    return write.kind === 'change' ? call(routes.update, { ...at, body: write.fields }) : call(routes.destroy, at)
  }
  return {
    allOf,
    /** Every one of an organization. */
    useAll: (organization_id: number | null) => useQuery({ ...allOf(organization_id ?? 0), enabled: organization_id !== null }),
    /** Creates, changes and deletes; returns the resulting record. */
    useWrite: (organization_id: number) =>
      useMutation<R | null, Error, Write>({ mutationFn: (write) => send(organization_id, write), onSettled: ownWritesShown }),
  }
}
