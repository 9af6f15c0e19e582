import { z } from 'zod'
import { roles } from '#shared/domain/roles'

/** Representations that several resources embed (contract 2.1, 2.9, 2.11), and attributes that all have. */
export const instantText = z.string().meta({ format: 'date-time' })

/** A link in a representation. */
export const link = z.object({ rel: z.string(), method: z.string(), href: z.string() })

/** The attributes that every record has. */
export const identityShape = {
  id: z.int(),
  uid: z.string(),
  version: z.int(),
  created_at: instantText,
  updated_at: instantText,
  _links: z.array(link),
}

/** A thumbnail of an image, by a signed address that expires. */
export const imageEntry = z
  .object({
    style: z.enum(['original', 'medium', 'thumb', 'tiny']),
    url: z.string(),
    expiration: instantText,
    width: z.int().nullable().optional(),
    height: z.int().nullable().optional(),
  })
  .meta({ id: 'ImageEntry' })
export type ImageEntry = z.infer<typeof imageEntry>

/** A user or an organization as payer, receiver or responsible user. */
export const partyObject = z
  .object({
    id: z.int(),
    uid: z.string(),
    name: z.string(),
    type: z.enum(['Organization', 'User']),
    logo: z.array(imageEntry).optional(),
    avatar: z.array(imageEntry).optional(),
  })
  .meta({ id: 'Party' })
export type Party = z.infer<typeof partyObject>

/** A user in memberships, comments, attachments and participants. */
export const userRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    mention_name: z.string().optional(),
    default_currency: z.string().optional(),
    emails: z.array(z.object({ email: z.string(), main: z.boolean() })),
    avatar: z.array(imageEntry),
    /** Whether the user has no picture, so that clients show a placeholder. */
    default_avatar: z.boolean(),
  })
  .meta({ id: 'User' })
export type UserRepresentation = z.infer<typeof userRepresentation>

/** A membership role. */
export const role = z.enum(roles)

/** The page of a list (contract 4.0), with items under the resource's plural name. */
export function pageOf<const N extends string, S extends z.ZodType>(name: N, item: S) {
  const items = { [name]: z.array(item) } as { [K in N]: z.ZodArray<S> }
  return z.object({ count: z.int(), current_page: z.int(), total_pages: z.int(), ...items })
}
