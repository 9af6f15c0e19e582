import { z } from 'zod'
import type { Action } from '#shared/domain/permissions'
import { type Attributes, changeBody, createBody, demandedByPut } from './attributes'
import { pageOf } from './representations'
import { listQuery, nothing, organizationParams, pathId } from './requests'
import { type ListOptions, route } from './route'

/** The place of a list, or of one of its records. */
interface Place<P extends z.ZodType> {
  readonly path: string
  /** Other paths with the same responses. */
  readonly aliases?: readonly string[]
  readonly params: P
}

/** What the six endpoints of a record are made from. */
export interface Resource<
  T extends string,
  A extends Attributes,
  R extends z.ZodType,
  B extends z.ZodType,
  C extends z.ZodType,
  M extends z.ZodType,
> {
  readonly table: T
  /** The record's name with its article, for summaries. */
  readonly one: string
  readonly collection: Place<C>
  readonly member: Place<M>
  readonly attributes: A
  readonly representation: R
  readonly list: ListOptions
  /** The body of create, and its path if it differs from the list's. */
  readonly create: {
    readonly body: B
    readonly path?: string
    readonly aliases?: readonly string[]
    readonly demanded?: (body: Readonly<Record<string, unknown>>) => readonly string[]
  }
  /** By default `show` is as `list`, and `create` and `destroy` are as `write`. */
  readonly actions: {
    readonly list: Action
    readonly write: Action
    readonly show?: Action
    readonly create?: Action
    readonly destroy?: Action
  }
  readonly summaries: { readonly list: string; readonly create: string; readonly destroy?: string }
}

/** The endpoints of a record: its list, and each record. */
export function recordRoutes<
  const T extends string,
  A extends Attributes,
  R extends z.ZodType,
  B extends z.ZodType,
  C extends z.ZodType,
  M extends z.ZodType,
>(resource: Resource<T, A, R, B, C, M>) {
  return { ...collectionRoutes(resource), ...memberRoutes(resource) }
}

function collectionRoutes<const T extends string, R extends z.ZodType, B extends z.ZodType, C extends z.ZodType>({
  table,
  collection,
  representation,
  list,
  create,
  actions,
  summaries,
}: Resource<T, Attributes, R, B, C, z.ZodType>) {
  return {
    list: route({
      ...collection,
      name: `${table}.list`,
      action: actions.list,
      method: 'GET',
      summary: summaries.list,
      query: listQuery,
      body: nothing,
      response: pageOf(table, representation),
      status: 200,
      list,
    }),
    create: route({
      ...collection,
      ...create,
      name: `${table}.create`,
      action: actions.create ?? actions.write,
      method: 'POST',
      summary: summaries.create,
      query: nothing,
      response: representation,
      status: 201,
    }),
  }
}

function memberRoutes<T extends string, A extends Attributes, R extends z.ZodType, M extends z.ZodType>({
  table,
  one,
  member,
  attributes,
  representation: response,
  actions,
  summaries,
}: Resource<T, A, R, z.ZodType, z.ZodType, M>) {
  const at = { ...member, query: nothing, response, status: 200 } as const
  const change = { ...at, action: actions.write, body: changeBody(attributes) }
  const demanded = demandedByPut(attributes)
  const action = actions.show ?? actions.list
  return {
    show: route({ ...at, name: `${table}.show`, action, method: 'GET', summary: `Show ${one}`, body: nothing }),
    replace: route({ ...change, name: `${table}.replace`, method: 'PUT', summary: `Change all attributes of ${one}`, demanded }),
    update: route({ ...change, name: `${table}.update`, method: 'PATCH', summary: `Change some attributes of ${one}` }),
    destroy: route({
      ...at,
      name: `${table}.destroy`,
      action: actions.destroy ?? actions.write,
      method: 'DELETE',
      summary: summaries.destroy ?? `Delete ${one}`,
      body: nothing,
      response: z.null(),
      status: 204,
    }),
  }
}

/** An organization record for its endpoints. `one` and `many`: its names in summaries. */
export interface OrganizationResource<T extends string, A extends Attributes, R extends z.ZodType> {
  readonly table: T
  readonly one: string
  readonly many: string
  readonly attributes: A
  readonly representation: R
  readonly list: ListOptions
  /** By default `create` is as `write`. */
  readonly actions: {
    readonly list: Action
    readonly show: Action
    readonly write: Action
    readonly create?: Action
    readonly destroy?: Action
  }
  /** The contract's path of create, if it differs from the list's. */
  readonly createPath?: string
}

/** The endpoints of an organization record, from its attributes: a list, and each record. */
export function organizationRecordRoutes<const T extends string, A extends Attributes, R extends z.ZodType>({
  many,
  createPath,
  ...resource
}: OrganizationResource<T, A, R>) {
  const { table, one, attributes } = resource
  const path = `/organizations/:organization_id/${table}`
  const elsewhere = createPath === undefined ? {} : { path: createPath, aliases: [path] }
  return recordRoutes({
    ...resource,
    collection: { path, params: organizationParams },
    member: { path: `${path}/:id`, params: organizationParams.extend({ id: pathId }) },
    create: { body: createBody(attributes), ...elsewhere },
    summaries: { list: `List an organization's ${many}`, create: `Create ${one}` },
  })
}
