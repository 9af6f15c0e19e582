import type { Row } from '#db/schema'
import type { ImageEntry, Party, UserRepresentation } from '#shared/contract/representations'
import { listBlobs } from '#main/store/records/files/blob-reader'
import { listOrganizationsByIds } from '#main/store/records/organizations/organization-reader'
import { listEmails, listUsersByIds } from '#main/store/records/users/user-reader'
import type { Context } from '../endpoint'
import { imageEntries } from './file-links'

/** Users and organizations of a response, read once for all records. */
export interface People {
  readonly users: ReadonlyMap<number, Row<'users'>>
  readonly organizations: ReadonlyMap<number, Row<'organizations'>>
  readonly emails: ReadonlyMap<number, Row<'user_emails'>[]>
  readonly images: ReadonlyMap<string, ImageEntry[]>
}

/** Reads the people of a response; `with_emails`: those with full representations. */
export async function loadPeople(
  context: Context,
  {
    user_ids,
    organization_ids = [],
    with_emails = false,
  }: { user_ids: Iterable<number | null>; organization_ids?: Iterable<number>; with_emails?: boolean },
): Promise<People> {
  const ids = [...new Set(user_ids)].filter((id) => id !== null)
  const users = await listUsersByIds(context.reader, ids)
  const organizations = await listOrganizationsByIds(context.reader, [...new Set(organization_ids)])
  const emails = Map.groupBy(with_emails ? await listEmails(context.reader, ids) : [], ({ user_id }) => user_id)
  return {
    users: new Map(users.map((user) => [user.id, user])),
    organizations: new Map(organizations.map((organization) => [organization.id, organization])),
    emails,
    images: await loadImages(context, [...users.map((user) => user.avatar_sha256), ...organizations.map((one) => one.logo_sha256)]),
  }
}

async function loadImages(context: Context, hashes: Array<string | null>): Promise<Map<string, ImageEntry[]>> {
  const blobs = await listBlobs(
    context.reader,
    [...new Set(hashes)].filter((hash) => hash !== null),
  )
  return new Map(blobs.map((blob) => [blob.sha256, imageEntries(context, { ...blob, file_name: 'image' })]))
}

/** A user's whole name. */
export function nameOf({ first_name, last_name }: Pick<Row<'users'>, 'first_name' | 'last_name'>): string {
  return `${first_name} ${last_name}`.trim()
}

function known<T>(rows: ReadonlyMap<number, T>, id: number): T {
  const row = rows.get(id)
  if (!row) throw new Error(`A record refers to a row that is not there: ${id}.`)
  return row
}

function imagesOf({ images }: People, sha256: string | null): ImageEntry[] {
  return (sha256 === null ? undefined : images.get(sha256)) ?? []
}

/** A user as payer, receiver or responsible user (contract 2.1). */
export function toUserParty(people: People, id: number): Party {
  const user = known(people.users, id)
  return { id, uid: user.uid, name: nameOf(user), type: 'User', avatar: imagesOf(people, user.avatar_sha256) }
}

/** An organization as payer (contract 2.1). */
export function toOrganizationParty(people: People, id: number): Party {
  const organization = known(people.organizations, id)
  return { id, uid: organization.uid, name: organization.name, type: 'Organization', logo: imagesOf(people, organization.logo_sha256) }
}

/** A user in memberships, comments, attachments, activities and participants (contract 2.1). */
export function toUserRepresentation(people: People, id: number): UserRepresentation {
  const user = known(people.users, id)
  return {
    id,
    uid: user.uid,
    first_name: user.first_name,
    last_name: user.last_name,
    mention_name: user.mention_name,
    emails: (people.emails.get(id) ?? []).map(({ email, main }) => ({ email, main: main === 1 })),
    avatar: imagesOf(people, user.avatar_sha256),
    default_avatar: user.avatar_sha256 === null,
  }
}

/** A mentioned user in comments (contract 2.11). */
export function toMentioned(people: People, id: number) {
  const user = known(people.users, id)
  const email = people.emails.get(id)?.find(({ main }) => main === 1)?.email ?? null
  return { name: nameOf(user), email, mention_name: user.mention_name, avatar: imagesOf(people, user.avatar_sha256) }
}
