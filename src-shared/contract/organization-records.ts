import type { z } from 'zod'
import type { Action } from '#shared/domain/permissions'
import { type Attributes, createBody } from './attributes'
import { recordRoutes } from './record-routes'
import { organizationParams, pathId } from './requests'
import type { ListOptions } from './route'

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

/** The endpoints of a record of an organization, from its attributes: a list, and each record under it. */
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
