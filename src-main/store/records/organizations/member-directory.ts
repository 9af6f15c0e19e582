import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

/** A member of an organization, once per e-mail address; `email` is null if they have none. */
export interface DirectoryEntry {
  readonly user_id: number
  readonly first_name: string
  readonly last_name: string
  readonly email: string | null
}

const listEntries = statement<{ organization_id: number }, DirectoryEntry>((db, p) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('user_emails', 'user_emails.user_id', 'users.id')
    .select(['memberships.user_id', 'users.first_name', 'users.last_name', 'user_emails.email'])
    .where('memberships.organization_id', '=', p('organization_id'))
    .where('memberships.deleted_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .orderBy('memberships.id'),
)
const findAdmin = statement<{ organization_id: number }, Row<'users'>>((db, p) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .selectAll('users')
    .where('memberships.organization_id', '=', p('organization_id'))
    .where('memberships.role', '=', 'admin')
    .where('memberships.deleted_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .orderBy('memberships.id')
    .limit(1),
)

const findAnothersAffair = statement<{ user_id: number }, { id: number }>((db, p) =>
  db
    .selectFrom('organizations')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.organization_id', '=', 'organizations.id')
        .on('memberships.user_id', '=', p('user_id'))
        .on('memberships.role', '=', 'admin')
        .on('memberships.deleted_at', 'is', null),
    )
    .select('organizations.id')
    .where('organizations.deleted_at', 'is', null)
    .where('memberships.id', 'is', null)
    .limit(1),
)

/** Whether a user is an admin of every organization of the instance. */
export async function isInCharge(reader: Reader, user_id: number): Promise<boolean> {
  return (await reader.first(findAnothersAffair, { user_id })) === undefined
}

/** All members of an organization, to search by name or e-mail address. */
export function listDirectory(reader: Reader, organization_id: number): Promise<DirectoryEntry[]> {
  return reader.all(listEntries, { organization_id })
}

/** The admin who has been a member longest: the command line's default user. */
export function findFirstAdmin(reader: Reader, organization_id: number): Promise<Row<'users'> | undefined> {
  return reader.first(findAdmin, { organization_id })
}
