import { z } from 'zod'
import { organization } from '#shared/records/organization'
import { createBody } from './attributes'
import { listedBy, recordShape, writableOf } from './record-attributes'
import { recordRoutes } from './record-routes'
import { idParams, nothing } from './requests'

const attributes = writableOf(organization.attributes)

/** An organization (supplement 2). */
export const organizationRepresentation = z
  .object({
    ...recordShape(organization),
    members_count: z.int(),
    /** Whether it is read-only until renewed. */
    expired: z.boolean(),
  })
  .meta({ id: 'Organization' })
export type Organization = z.infer<typeof organizationRepresentation>

/** An organization in memberships; its links have `url` instead of `href`. */
export const embeddedOrganization = organizationRepresentation
  .omit({ version: true })
  .extend({ _links: z.array(z.object({ rel: z.string(), method: z.string(), url: z.string() })) })
  .meta({ id: 'EmbeddedOrganization' })

/** The endpoints of organizations (supplement 2, "Organizations"). */
export const organizationRoutes = recordRoutes({
  table: organization.table,
  one: 'an organization',
  collection: { path: '/organizations', params: nothing },
  member: { path: '/organizations/:id', params: idParams },
  attributes,
  representation: organizationRepresentation,
  list: { attributes: listedBy(organization.attributes) },
  create: { body: createBody(attributes) },
  actions: { list: 'organizations.read', create: 'organizations.create', write: 'organizations.update', destroy: 'organizations.delete' },
  summaries: {
    list: 'List the organizations that the caller is a member of',
    create: 'Create an organization; the caller becomes its admin',
  },
})
