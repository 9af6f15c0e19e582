import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import { type ListQuery, type Page, readPage } from '../../core/list-query'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findOpenRow = statement<{ organization_id: number; email: string }, Row<'invitations'>>((db, p) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('email', '=', p('email'))
    .where('accepted_at', 'is', null)
    .where('deleted_at', 'is', null),
)
const findRow = statement<{ organization_id: number; id: number }, Row<'invitations'>>((db, p) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', p('id'))
    .where('organization_id', '=', p('organization_id'))
    .where('accepted_at', 'is', null)
    .where('deleted_at', 'is', null),
)
const findBySecret = statement<{ token_hash: string; now: string }, Row<'invitations'>>((db, p) =>
  db
    .selectFrom('invitations')
    .selectAll()
    .where('token_hash', '=', p('token_hash'))
    .where('expires_at', '>', p('now'))
    .where('accepted_at', 'is', null)
    .where('deleted_at', 'is', null),
)
const findDue = statement<{ now: string }, Row<'invitations'>>((db, p) =>
  db
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .selectAll('invitations')
    .where('invitations.sent_at', 'is', null)
    .where('invitations.accepted_at', 'is', null)
    .where('invitations.deleted_at', 'is', null)
    .where('invitations.expires_at', '>', p('now'))
    .where((where) => where.or([where('invitations.attempts', '=', 0), where('invitations.next_attempt_at', '<=', p('now'))]))
    .where('organizations.deleted_at', 'is', null)
    .where('organizations.expired_at', 'is', null)
    .orderBy('invitations.id')
    .limit(1),
)

/** The open invitation of this address to an organization. */
export function findOpenInvitation(reader: Reader, key: { organization_id: number; email: string }) {
  return reader.first(findOpenRow, key)
}

/** An open invitation of an organization by id. */
export function findInvitation(reader: Reader, key: { organization_id: number; id: number }) {
  return reader.first(findRow, key)
}

/** The open invitation whose secret has this hash, if it can still be accepted. `now` is an ISO instant. */
export function findInvitationBySecret(reader: Reader, key: { token_hash: string; now: string }) {
  return reader.first(findBySecret, key)
}

/** The oldest invitation to send now: untried, or due for a retry; none of a read-only or deleted organization. `now` is an ISO instant. */
export function findInvitationToSend(reader: Reader, now: string) {
  return reader.first(findDue, { now })
}

/** A page of the open invitations of an organization. */
export function listInvitations(
  reader: Reader,
  { organization_id, user_id }: { organization_id: number; user_id: number },
  query: ListQuery,
): Promise<Page<Row<'invitations'>>> {
  const where = () => [sql<SqlBool>`invitations.organization_id = ${organization_id}`, sql<SqlBool>`invitations.accepted_at is null`]
  return readPage(reader, 'invitations', { user_id, within: organization_id, query, where })
}
