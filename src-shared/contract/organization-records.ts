import { z } from 'zod'
import type { Action } from '#shared/domain/permissions'
import { type Attributes, changeBody, createBody, demandedByPut } from './attributes'
import { instantText, link, pageOf } from './representations'
import { listQuery, nothing, organizationParams, pathId } from './requests'
import { type ListOptions, route } from './route'

/** The endpoints of a record of an organization, from its attributes: a list, and each record under it. */

/** What representations of such a record show in addition to its attributes. */
export const identityShape = {
  id: z.int(),
  uid: z.string(),
  version: z.int(),
  created_at: instantText,
  updated_at: instantText,
  _links: z.array(link),
}

/** A record of an organization as its endpoints need it. `one` and `many`: what summaries call it. */
export interface OrganizationResource<T extends string, A extends Attributes, R extends z.ZodType> {
  readonly table: T
  readonly one: string
  readonly many: string
  readonly attributes: A
  readonly representation: R
  readonly list: ListOptions
  readonly actions: { readonly list: Action; readonly show: Action; readonly write: Action }
  /** Where the contract has it created, if that is not the path of the list. */
  readonly createPath?: string
}

/** The endpoints of a record of an organization. */
export function organizationRecordRoutes<const T extends string, A extends Attributes, R extends z.ZodType>(
  resource: OrganizationResource<T, A, R>,
) {
  return { ...listRoutes(resource), ...memberRoutes(resource) }
}

const pathOf = (table: string) => `/organizations/:organization_id/${table}`

function listRoutes<const T extends string, A extends Attributes, R extends z.ZodType>(resource: OrganizationResource<T, A, R>) {
  const { table, one, many, attributes, representation, list, actions, createPath } = resource
  const path = pathOf(table)
  return {
    list: route({
      name: `${table}.list`,
      action: actions.list,
      method: 'GET',
      path,
      summary: `List an organization's ${many}`,
      params: organizationParams,
      query: listQuery,
      body: nothing,
      response: pageOf(table, representation),
      status: 200,
      list,
    }),
    create: route({
      name: `${table}.create`,
      action: actions.write,
      method: 'POST',
      path: createPath ?? path,
      ...(createPath !== undefined && { aliases: [path] }),
      summary: `Create ${one}`,
      params: organizationParams,
      query: nothing,
      body: createBody(attributes),
      response: representation,
      status: 201,
    }),
  }
}

function memberRoutes<const T extends string, A extends Attributes, R extends z.ZodType>(
  resource: OrganizationResource<T, A, R>,
) {
  const { table, one, attributes, representation: response, actions } = resource
  const at = { path: `${pathOf(table)}/:id`, params: organizationParams.extend({ id: pathId }), query: nothing }
  const member = { ...at, response, status: 200 } as const
  const change = { ...member, action: actions.write, body: changeBody(attributes) }
  const demanded = demandedByPut(attributes)
  return {
    show: route({ ...member, name: `${table}.show`, action: actions.show, method: 'GET', summary: `Show ${one}`, body: nothing }),
    replace: route({
      ...change,
      name: `${table}.replace`,
      method: 'PUT',
      summary: `Change all attributes of ${one}`,
      demanded,
    }),
    update: route({ ...change, name: `${table}.update`, method: 'PATCH', summary: `Change some attributes of ${one}` }),
    destroy: route({
      ...at,
      name: `${table}.destroy`,
      action: actions.write,
      method: 'DELETE',
      summary: `Delete ${one}`,
      body: nothing,
      response: z.null(),
      status: 204,
    }),
  }
}
